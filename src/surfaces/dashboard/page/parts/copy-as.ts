import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { CallableOperation, Input } from '../../../call-as/request.ts'
import { missing, type Way, wayNames, ways } from '../../../call-as/ways.ts'
import { call } from '../api.ts'
import { textAs } from '../playground/text-as.ts'
import { usePolled } from './polled.ts'

/** Empty where what was asked for was not kept. */
type Asked = { operation?: CallableOperation; input?: Input }

/** A menu that copies the call of a job as other programs make it. */
export function CopyAs({ id }: { id: string }): VNode {
  const { value } = usePolled((signal) => call<Asked>('GET', `/dashboard/calls/${id}`, { signal }), 0, id)
  const { operation, input } = value ?? {}
  return operation && input ? html`<${Menu} operation=${operation} input=${input} />` : html`<span></span>`
}

function Menu({ operation, input }: { operation: CallableOperation; input: Input }): VNode {
  const [says, setSays] = useState('')
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => menu.current?.removeAttribute('open')
  const copy = (way: Way, text: string) => {
    navigator.clipboard.writeText(text).then(
      () => setSays(`Copied for ${wayNames[way]}`),
      () => setSays('The browser does not let it be copied'),
    )
    close()
  }
  const item = (way: Way) => {
    const text = textAs(way, operation, input)
    return html`<li>
      <button
        type="button"
        disabled=${text === undefined}
        title=${text === undefined ? missing[way] : undefined}
        onClick=${() => copy(way, text ?? '')}
      >
        ${wayNames[way]}
      </button>
    </li>`
  }
  return html`<div class="copy-as">
    <span class="faint" role="status">${says}</span>
    <details ref=${menu} onKeyDown=${({ key }: KeyboardEvent) => key === 'Escape' && close()}>
      <summary>Copy as</summary>
      <ul>
        ${ways.map(item)}
      </ul>
    </details>
  </div>`
}
