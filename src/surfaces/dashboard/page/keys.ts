import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
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

/** Leads to rooms by `g` and a letter, and tells so in a window of its own at `?`. */
export function Keys(): VNode {
  const window = useRef<HTMLDialogElement>(null)
  const [on, setOn] = useState(areOn)
  // An ordinary effect runs after the first paint: keys typed before it would be lost.
  useLayoutEffect(() => {
    let last = ''
    function heed(event: KeyboardEvent): void {
      const before = last
      last = ''
      if (isWriting(event) || document.querySelector('dialog[open]')) return
      last = event.key
      const room = rooms.find(({ key }) => key === last)
      if (last === '?') window.current?.showModal()
      else if (room && before === 'g') location.hash = `#/${room.name}`
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
