import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Empty, Fault, Loading } from '../../parts/parts.ts'
import { usePolled } from '../../parts/polled.ts'
import { ago, plural } from '../../parts/words.ts'
import { type LiveSession, openSessions } from './open-sessions.ts'

/** The browsers that are open, and a way to open one more. */
export function Sessions(): VNode {
  const { value, fault } = usePolled(openSessions, 2000, '')
  return html`
    <div class="bar">
      <p class="faint">
        Browsers that stay open between calls. You can watch what an agent does in one, and take part.
      </p>
      <${OpenOne} />
    </div>
    <${Fault} of=${fault} />
    ${!value && fault === undefined && html`<${Loading} />`}
    ${
      value?.length === 0 &&
      html`<${Empty} title="No browser is open">
        Open one here, or have an agent call <a href="#/playground/browser_create">browser_create</a>.
      <//>`
    }
    <ul class="rows">
      ${value?.map(row)}
    </ul>
  `
}

function OpenOne(): VNode {
  const [fault, setFault] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  async function open(): Promise<void> {
    setBusy(true)
    try {
      const { id } = await call<{ id: string }>('POST', '/v2/browser', { body: {} })
      location.hash = `#/sessions/${id}`
    } catch (failure) {
      setFault(failure)
    }
    setBusy(false)
  }
  return html`<button type="button" class="primary" disabled=${isBusy} onClick=${open}>
      ${isBusy ? 'Opening…' : 'Open a browser'}
    </button>
    <${Fault} of=${fault} />`
}

const row = ({ id, createdAt, lastActivity, expiresAt, liveViewUrl }: LiveSession) =>
  html`<li key=${id}>
    <a class="row session-row" href=${`#/sessions/${id}`}>
      <span class="kind">session</span>
      <span class="target"
        >${id}${liveViewUrl === undefined && html` <span class="faint">without a live view</span>`}</span
      >
      <span class="row-state faint">opened ${ago(createdAt)}, used ${ago(lastActivity)}</span>
      <span class="faint row-end">${timeLeft(expiresAt)}</span>
    </a>
  </li>`

/** It closes sooner when nobody uses it. */
function timeLeft(expiresAt: string): string {
  const minutes = Math.max(0, Math.ceil((Date.parse(expiresAt) - Date.now()) / 60_000))
  return `${plural(minutes, 'minute')} left at most`
}
