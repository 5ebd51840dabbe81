import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

/** Text to take away. */
export function CodeBox({ label, text }: { label: string; text: string }): VNode {
  const [says, setSays] = useState('Copy')
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSays('Copied'),
      () => setSays('Select and copy it by hand'),
    )
  return html`<div class="code-box">
    <pre tabindex="0" aria-label=${label}>${text}</pre>
    <button type="button" onClick=${copy} onBlur=${() => setSays('Copy')}>${says}</button>
  </div>`
}
