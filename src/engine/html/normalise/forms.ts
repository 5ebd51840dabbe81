import { absoluteUrl } from '../dom/absolute-url.ts'
import type { Element } from '../dom/dom.ts'
import type { ContentIndex } from '../dom/element-index.ts'
import { inertScheme } from './links.ts'

/** Makes the addresses that forms lead to absolute, drops those that run scripts, and what passwords hold. */
export function absolutiseForms(content: ContentIndex): void {
  for (const form of content.named('form')) absolutiseAttribute(form, 'action', content.base)
  for (const control of content.named('input', 'button')) {
    absolutiseAttribute(control, 'formaction', content.base)
    absolutiseAttribute(control, 'src', content.base)
    if (/^password$/i.test(control.getAttribute('type') ?? '')) control.removeAttribute('value')
  }
}

function absolutiseAttribute(element: Element, name: string, base: string): void {
  const written = element.getAttribute(name)?.trim()
  if (!written) return
  const address = absoluteUrl(written, base) ?? written
  if (inertScheme.test(address)) element.removeAttribute(name)
  else element.setAttribute(name, address)
}
