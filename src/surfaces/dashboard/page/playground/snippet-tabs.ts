import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { CataloguedOperation } from '../../catalogue.ts'
import { user } from '../api.ts'
import { Tabs } from '../parts/parts.ts'
import { CodeBox } from './code-box.ts'
import { cliLine, type Input, mcpCall, restCall, sdkLine } from './snippets.ts'

type Way = 'mcp' | 'rest' | 'cli' | 'sdk'
const ways: readonly (readonly [Way, string])[] = [
  ['mcp', 'MCP'],
  ['rest', 'REST'],
  ['cli', 'Command line'],
  ['sdk', 'SDK'],
]

/** The same call as programs make it. A file is too long to show. */
export function Snippets({ operation, input }: { operation: CataloguedOperation; input: Input }): VNode {
  const [now, setNow] = useState<Way>('mcp')
  const where = { origin: location.origin, hasKey: user !== '' }
  const shown: Input = JSON.parse(JSON.stringify(input, (name, value) => (name === 'base64' ? '…' : value)))
  const texts: Readonly<Record<Way, string | undefined>> = {
    mcp: mcpCall(operation, shown),
    rest: restCall(operation, shown, where),
    cli: cliLine(operation, shown, where),
    sdk: sdkLine(operation, shown, where),
  }
  const text = texts[now]
  return html`<section aria-label="The same call elsewhere">
    <h2>The same call elsewhere</h2>
    <${Tabs} label="As a call by" tabs=${ways} now=${now} choose=${setNow} />
    ${text === undefined ? html`<p class="note">${missing[now]}</p>` : html`<${CodeBox} label="Call" text=${text} />`}
  </section>`
}

const missing: Readonly<Record<Way, string>> = {
  mcp: 'This operation is for REST and the command line; MCP has no tool for it.',
  sdk: 'The SDK has no method for this. Use the REST call.',
  rest: '',
  cli: '',
}
