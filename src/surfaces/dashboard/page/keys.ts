import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { rooms } from './places.ts'

const place = 'gossamer-keys'

/** Keys of a single letter disturb those who speak to their machine, so that they can be turned off. */
function areOn(): boolean {
  try {
    return localStorage.getItem(place) !== 'off'
  } catch {
    return true
  }
}

function turn(on: boolean): void {
  try {
    localStorage.setItem(place, on ? 'on' : 'off')
  } catch {
    return
  }
}

/** How long a `g` waits for the letter of a room. */
const pauseMs = 1500

/** Leads to rooms by `g` and a letter, and tells so in a window of its own at `?`. */
export function Keys(): VNode {
  const window = useRef<HTMLDialogElement>(null)
  const [on, setOn] = useState(areOn)
  useEffect(() => {
    let begunAt = -pauseMs
    function heed(event: KeyboardEvent): void {
      if (isWriting(event) || document.querySelector('dialog[open]')) return
      const room = rooms.find(({ key }) => key === event.key)
      if (event.key === '?') window.current?.showModal()
      else if (room && event.timeStamp - begunAt < pauseMs) location.hash = `#/${room.name}`
      begunAt = event.key === 'g' ? event.timeStamp : -pauseMs
    }
    if (!on) return undefined
    addEventListener('keydown', heed)
    return () => removeEventListener('keydown', heed)
  }, [on])
  function choose({ currentTarget: { checked } }: { currentTarget: HTMLInputElement }): void {
    turn(checked)
    setOn(checked)
  }
  return html`<button type="button" class="keys-button" onClick=${() => window.current?.showModal()}>
      Keys <kbd>?</kbd>
    </button>
    <dialog ref=${window} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">
        <div>
          <dt><kbd>?</kbd></dt>
          <dd>Show the keys</dd>
        </div>
        ${rooms.map(
          ({ key, title }) =>
            html`<div key=${key}>
              <dt><kbd>g</kbd> <kbd>${key}</kbd></dt>
              <dd>${title}</dd>
            </div>`,
        )}
        <div>
          <dt><kbd>Esc</kbd></dt>
          <dd>Close a window like this</dd>
        </div>
      </dl>
      <label class="check"><input type="checkbox" checked=${on} onChange=${choose} /> Use keys of single letters</label>
      <form method="dialog"><button class="primary">Close</button></form>
    </dialog>`
}

const isWriting = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  ctrlKey || metaKey || altKey || (target instanceof Element && target.matches('input, select, textarea'))
