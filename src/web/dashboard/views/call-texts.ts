import { type CallableOperation, callAs, type Input, missing, type Way, ways } from '../../../kernel/written-call.ts'
import { login, useAnswer } from '../server-calls.ts'
import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState, useRef } from 'preact/hooks'
import { Tabs, CodeBox, useCopy } from '../parts.ts'

/** Returns the text of a call to this server, without file contents, which are too long to show. */
export function textAs(way: Way, operation: CallableOperation, input: Input): string | undefined {
  const shown: Input = JSON.parse(JSON.stringify(input, (name, value) => (name === 'base64' ? '…' : value)))
  return callAs(way, operation, shown, { origin: location.origin, hasKey: login().user !== '' })
}

const tabs = { mcp: 'MCP', curl: 'REST', cli: 'Command line', sdk: 'SDK', library: 'Library' } satisfies Record<
  Way,
  string
>

/** The same call in the syntax of each client. */
export function Snippets({ operation, input }: { operation: CallableOperation; input: Input }): VNode {
  const [now, setNow] = useState<Way>('mcp')
  const text = textAs(now, operation, input)
  return html`<section aria-label="The same call in other programs">
    <h2>The same call in other programs</h2>
    <${Tabs} label="As a call by" tabs=${tabs} now=${now} choose=${setNow} />
    ${text === undefined ? html`<p class="note">${missing[now]}</p>` : html`<${CodeBox} label="Call" text=${text} />`}
  </section>`
}

/** A recorded call; empty if the call was not stored. */
type RecordedCall = { operation?: CallableOperation; input?: Input }

const wayNames: Readonly<Record<Way, string>> = {
  curl: 'curl',
  mcp: 'MCP tools/call',
  cli: 'Command line',
  sdk: 'JavaScript SDK',
  library: 'Library',
}

/** Menu that copies the call of a job in the syntax of each client. */
export function CopyAs({ id }: { id: string }): VNode {
  const { operation, input } = useAnswer<RecordedCall>(`/dashboard/calls/${id}`).value ?? {}
  const [note, copy] = useCopy()
  const menu = useRef<HTMLDetailsElement>(null)
  if (!operation || !input) return html`<span></span>`
  const close = () => menu.current?.removeAttribute('open')
  const item = (way: Way) => {
    const text = textAs(way, operation, input)
    const take = () => {
      void copy(text ?? '', `Copied for ${wayNames[way]}`)
      close()
    }
    return html`<li>
      <button
        type="button"
        disabled=${text === undefined}
        title=${text === undefined ? missing[way] : undefined}
        onClick=${take}
      >
        ${wayNames[way]}
      </button>
    </li>`
  }
  return html`<div class="copy-as">
    <span class="faint" role="status">${note}</span>
    <details ref=${menu} onKeyDown=${({ key }: KeyboardEvent) => key === 'Escape' && close()}>
      <summary>Copy as</summary>
      <ul>
        ${ways.map(item)}
      </ul>
    </details>
  </div>`
}
