import { call, usePolled } from '../server-calls.ts'
import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Empty, Fault, Loading, ago, plural, Tabs } from '../parts.ts'

export type LiveSession = {
  id: string
  createdAt: string
  lastActivity: string
  expiresAt: string
  liveViewUrl?: string
  interactiveLiveViewUrl?: string
}

export async function openSessions(signal: AbortSignal): Promise<readonly LiveSession[]> {
  const { sessions } = await call<{ sessions: readonly LiveSession[] }>('GET', '/v2/browser?status=active', { signal })
  return sessions
}

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

type Use = 'act' | 'watch'

/** A session with its live view, in which people take part, or only watch. */
export function Session({ id }: { id: string }): VNode {
  const find = async (signal: AbortSignal) => (await openSessions(signal)).find((each) => each.id === id) ?? 'over'
  const { value, fault, refresh } = usePolled(find, 3000, id)
  const [use, setUse] = useState<Use>('act')
  const [refused, setRefused] = useState<unknown>()
  if (value === undefined) return fault === undefined ? html`<${Loading} />` : html`<${Fault} of=${fault} />`
  if (value === 'over')
    return html`<${Empty} title="This session is over">
      <a href="#/sessions">See which browsers are open</a>, or open a new one there.
    <//>`
  const close = () => call('DELETE', `/v2/browser/${id}`).then(refresh, setRefused)
  const path = pathOf(value, use)
  const uses = { act: 'Take part', watch: 'Watch only' }
  return html`
    <div class="bar">
      <${Tabs} label="What you do" tabs=${uses} now=${use} choose=${setUse} />
      <div class="inline">
        ${path !== undefined && html`<a href=${path} target="_blank" rel="noopener">Own window</a>`}
        <button type="button" class="danger" onClick=${close}>Close the browser</button>
      </div>
    </div>
    <${Fault} of=${refused ?? fault} />
    ${
      path === undefined
        ? html`<${Empty} title="This session has no live view">It was opened with streamWebView: false.<//>`
        : html`<iframe
            class="live"
            key=${path}
            src=${path}
            title="Live view of the session"
            allow="clipboard-read; clipboard-write"
          ></iframe>`
    }
  `
}

/** The address names the server as others reach it; the page frames its own origin only. */
function pathOf({ liveViewUrl, interactiveLiveViewUrl }: LiveSession, use: Use): string | undefined {
  return URL.parse((use === 'act' ? interactiveLiveViewUrl : liveViewUrl) ?? '')?.pathname
}
