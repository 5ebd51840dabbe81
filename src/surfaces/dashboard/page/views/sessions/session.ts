import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { Empty, Fault, Loading, Tabs } from '../../parts/parts.ts'
import { usePolled } from '../../parts/polled.ts'
import { type LiveSession, openSessions } from './open-sessions.ts'

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
  const uses = [
    ['act', 'Take part'],
    ['watch', 'Watch only'],
  ]
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
