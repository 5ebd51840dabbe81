import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { CallableOperation, Input } from '../../../call-as/request.ts'
import { missing, type Way } from '../../../call-as/ways.ts'
import { Tabs } from '../parts/parts.ts'
import { CodeBox } from './code-box.ts'
import { textAs } from './text-as.ts'

const tabs: readonly (readonly [Way, string])[] = [
  ['mcp', 'MCP'],
  ['curl', 'REST'],
  ['cli', 'Command line'],
  ['sdk', 'SDK'],
  ['library', 'Library'],
]

/** The same call as programs make it. */
export function Snippets({ operation, input }: { operation: CallableOperation; input: Input }): VNode {
  const [now, setNow] = useState<Way>('mcp')
  const text = textAs(now, operation, input)
  return html`<section aria-label="The same call elsewhere">
    <h2>The same call elsewhere</h2>
    <${Tabs} label="As a call by" tabs=${tabs} now=${now} choose=${setNow} />
    ${text === undefined ? html`<p class="note">${missing[now]}</p>` : html`<${CodeBox} label="Call" text=${text} />`}
  </section>`
}
