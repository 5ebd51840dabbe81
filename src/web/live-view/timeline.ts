import type { ShownAct, ShownFile } from '../../engine/session/live-view/messages.ts'
import { actItem, byId, createElement, isInControl } from '../page-elements.ts'

/** Panel with the acts of the session, newest first, and the files that it downloaded. */
export function createTimeline() {
  const [panel, button, list] = [byId('timeline'), byId('timeline-button'), byId('acts')]
  function open(is: boolean): void {
    panel.hidden = !is
    button.ariaExpanded = String(is)
  }
  button.addEventListener('click', () => open(panel.hidden !== false))
  return {
    add(acts: readonly ShownAct[]): void {
      for (const act of acts) {
        const [made, known] = [actItem(act), document.getElementById(`act-${act.n}`)]
        if (known) known.replaceWith(made)
        else list.prepend(made)
      }
    },
    files(files: readonly ShownFile[]): void {
      if (byId('shelf').childElementCount === files.length) return
      byId('shelf').replaceChildren(...files.map(fileItem))
      byId('downloads').hidden = files.length === 0
      open(true)
    },
    end: () => open(list.childElementCount > 0),
  }
}

/** People who may only watch the session see the name too. */
function fileItem({ id, name, bytes }: ShownFile): HTMLElement {
  const target = isInControl() && { href: `${location.pathname}/files/${id}`, download: name }
  const size = createElement('span', { className: 'faint' }, ` ${sizeOf(bytes)}`)
  return createElement('li', {}, createElement('a', { ...target }, name), size)
}

const sizeOf = (bytes: number) => (bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${Math.round(bytes / 1e5) / 10} MB`)
