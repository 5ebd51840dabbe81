import { html } from 'htm/preact'
import type { ComponentChildren, VNode } from 'preact'
import { useRef } from 'preact/hooks'

type AskProps = { verb: string; title: string; agree(): void; children?: ComponentChildren }

/** A button for what cannot be undone: it asks first. */
export function Ask({ verb, title, agree, children }: AskProps): VNode {
  const window = useRef<HTMLDialogElement>(null)
  const closed = ({ currentTarget }: { currentTarget: HTMLDialogElement }) => {
    if (currentTarget.returnValue === 'yes') agree()
    currentTarget.returnValue = ''
  }
  return html`<button type="button" class="danger" onClick=${() => window.current?.showModal()}>${verb}</button>
    <dialog ref=${window} aria-label=${title} onClose=${closed}>
      <h2>${title}</h2>
      <p>${children}</p>
      <form method="dialog" class="inline end">
        <button value="no" autofocus>Keep it</button>
        <button value="yes" class="danger">${verb}</button>
      </form>
    </dialog>`
}
