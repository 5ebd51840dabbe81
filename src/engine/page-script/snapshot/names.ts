import type { PageTools } from './tools.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: accessible names (Accessible Name and Description Computation 1.2, without generated content). */
export function addNames(tools: PageTools): void {
  const fromContent =
    /^(?:button|link|h\d|option|tab|menuitem|menuitemcheckbox|menuitemradio|treeitem|checkbox|radio|switch|cell|columnheader|rowheader|row|tooltip|disclosure|clickable)$/
  const { clean } = tools

  tools.nameOf = (element, role) =>
    named(element) ||
    clean(native(element, role)) ||
    (fromContent.test(role) ? tools.textOf(element, 300) : '') ||
    clean(
      element.getAttribute('title') ?? element.getAttribute('aria-placeholder') ?? element.getAttribute('placeholder'),
    )

  function named(element: Element): string {
    const root = element.getRootNode() as Document | ShadowRoot
    const ids = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? []
    const others = ids.flatMap((id) => (id ? (root.getElementById(id) ?? []) : []))
    const text = clean(others.map((other) => other.getAttribute('aria-label') ?? textOfLabel(other)).join(' '))
    return text || clean(element.getAttribute('aria-label'))
  }

  /** A label may itself be hidden. */
  function textOfLabel(label: Element): string {
    return tools.textOf(label, 200) || clean(label.textContent).slice(0, 200)
  }

  function native(element: Element, role: string): string | null | undefined {
    const { localName } = element
    if (/^(?:input|select|textarea|meter|progress|output|button)$/.test(localName)) return ofField(element, role)
    if (/^(?:img|area)$/.test(localName)) return element.getAttribute('alt')
    if (localName === 'svg') return element.querySelector(':scope > title')?.textContent
    const titles: Record<string, string> = {
      fieldset: 'legend',
      table: 'caption',
      figure: 'figcaption',
    }
    const title = titles[localName]
    if (title) return ofChild(element, title)
    if (localName === 'iframe') return element.getAttribute('title') ?? element.getAttribute('name')
    return role === 'dialog' || role === 'alertdialog' ? ofChild(element, 'h1,h2,h3,[role=heading]') : undefined
  }

  function ofChild(element: Element, selector: string): string {
    const child = element.querySelector(selector)
    return child ? tools.textOf(child, 120) : ''
  }

  function ofField(element: Element, role: string): string | undefined {
    const field = element as HTMLInputElement
    const labels = Array.from(field.labels ?? [], textOfLabel).join(' ')
    if (clean(labels)) return labels
    if (role !== 'button' || element.localName === 'button') return undefined
    if (field.type === 'image') return field.alt
    return field.value || { submit: 'Submit', reset: 'Reset' }[field.type as string]
  }
}
