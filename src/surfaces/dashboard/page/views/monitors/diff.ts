import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { isRecord } from '../../../../../util/json.ts'
import { plural } from '../../parts/words.ts'

type Change = { field: string; previous: unknown; current: unknown }
type DiffProps = { diff: { text?: string | undefined; json?: Readonly<Record<string, unknown>> | undefined } }

const firstLines = 200

/** What changed on a page: fields as a table, text line by line. */
export function Diff({ diff: { text, json = {} } }: DiffProps): VNode {
  const changes = changesIn(json)
  return html`
    ${changes.length > 0 && html`<${Fields} changes=${changes} />`}
    ${text !== undefined && text !== '' && html`<${Lines} text=${text} />`}
    ${changes.length === 0 && !text && html`<p class="faint">The change was too long to be kept.</p>`}
  `
}

/** Fields that changed; the structure of a diff of text has none. */
export const changesIn = (json: Readonly<Record<string, unknown>>): Change[] =>
  Object.entries(json).flatMap(([field, value]) =>
    isRecord(value) && ('previous' in value || 'current' in value)
      ? [{ field, previous: value['previous'], current: value['current'] }]
      : [],
  )

const Fields = ({ changes }: { changes: readonly Change[] }) =>
  html`<div class="scroll" tabindex="0" role="group" aria-label="Fields that changed">
    <table class="changes">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">Now</th>
        </tr>
      </thead>
      <tbody>
        ${changes.map(
          ({ field, previous, current }) =>
            html`<tr key=${field}>
              <th scope="row">${field}</th>
              <td><del>${shown(previous)}</del></td>
              <td><ins>${shown(current)}</ins></td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`

function shown(value: unknown): VNode | string {
  if (value === undefined || value === null) return html`<i class="faint">none</i>`
  return typeof value === 'string' ? value : JSON.stringify(value)
}

type Line = { kind: 'added' | 'taken' | 'place' | 'kept'; text: string }

/** Lines of a unified diff, without the names of files at its head: both are the same page. */
export function linesOf(text: string): Line[] {
  const lines = text.replace(/\n$/, '').split('\n')
  const first = lines.findIndex((each) => each.startsWith('@@'))
  return lines.slice(Math.max(0, first)).map((each) => ({ kind: kindOf(each), text: each }))
}

function kindOf(line: string): Line['kind'] {
  if (line.startsWith('@@')) return 'place'
  if (line.startsWith('+')) return 'added'
  return line.startsWith('-') ? 'taken' : 'kept'
}

/** Signs stay in front of the lines, so that they do not differ by colour alone. */
function Lines({ text }: { text: string }): VNode {
  const [isWhole, setWhole] = useState(false)
  const lines = linesOf(text)
  const added = lines.filter(({ kind }) => kind === 'added').length
  const taken = lines.filter(({ kind }) => kind === 'taken').length
  const shownLines = isWhole ? lines : lines.slice(0, firstLines)
  return html`<p class="faint">${plural(added, 'line')} added, ${plural(taken, 'line')} taken away</p>
    <pre class="diff" tabindex="0" aria-label="Text that changed">${shownLines.map(lineOf)}</pre>
    ${
      shownLines.length < lines.length &&
      html`<button type="button" class="start" onClick=${() => setWhole(true)}>
        Show ${plural(lines.length - shownLines.length, 'more line')}
      </button>`
    }`
}

function lineOf({ kind, text }: Line, at: number): VNode {
  if (kind === 'added') return html`<ins key=${at}>${`${text}\n`}</ins>`
  if (kind === 'taken') return html`<del key=${at}>${`${text}\n`}</del>`
  return html`<span key=${at} class=${kind === 'place' ? 'faint' : 'kept'}>${`${text}\n`}</span>`
}
