import { classOf, type Element, elementsById, elementsIn } from '../dom/dom-tree.ts'
import type { ElementIndex } from '../dom/element-index.ts'
import { namesConsentManager } from '../hidden/consent-banners.ts'
import { hidesBox, styleOf } from '../hidden/style-sheets.ts'

const noField = /^(?:hidden|submit|button|image|reset)$/i
const choice = /^(?:radio|checkbox)$/i
/** Elements around the content, or not visible. */
const aside = /^(?:header|footer|nav|aside|dialog|template)$/
const asideRole = /^(?:search|navigation|banner|contentinfo|dialog)$/i
/** Names of forms that occur on every page of a site. */
const everywhere = /search|newsletter|subscri|cookie|consent/i
const searchField = /^(?:q|s|query|search|keywords?|term)$/i

/** A field, or the name of a group of radio buttons, which are one choice. */
type Field = Element | string | null

/**
 * Counts the fields that a visitor may fill in, in the form with the most of them; the fields outside forms count as
 * one form. Undefined if there are none. Searches, newsletters and elements around the content do not count.
 */
export function formFieldsOf(body: Element, elements: ElementIndex): number | undefined {
  const forms = new Map<Element, Set<Field>>()
  const formOf = formsOf(body)
  for (const field of elements.named('input', 'select', 'textarea')) {
    if (!isOpen(field) || !body.contains(field)) continue
    const form = formOf(field)
    if (!form || (form === body && choice.test(typeOf(field)))) continue
    const fields = forms.get(form) ?? new Set<Field>()
    forms.set(form, fields.add(/^radio$/i.test(typeOf(field)) ? field.getAttribute('name') : field))
  }
  const counts = [...forms.values()].map((fields) =>
    fields.size === 1 && [...fields].every(isAddress) ? 0 : fields.size,
  )
  return Math.max(0, ...counts) || undefined
}

const typeOf = (field: Element) => (field.localName === 'input' ? (field.getAttribute('type') ?? 'text') : '')

function isOpen(field: Element): boolean {
  if (noField.test(typeOf(field)) || field.hasAttribute('disabled') || field.hasAttribute('readonly')) return false
  return !/^search$/i.test(typeOf(field)) && !searchField.test(field.getAttribute('name') ?? '')
}

/** A lone e-mail field belongs to a newsletter. */
const isAddress = (field: Field) => field !== null && typeof field === 'object' && /^email$/i.test(typeOf(field))

/** Finds the form of a field, or the body; undefined if the field is hidden or outside the content. */
function formsOf(body: Element): (field: Element) => Element | undefined {
  const beside = new Map<Element, boolean>()
  let byId: ReadonlyMap<string, Element> | undefined
  const isOut = (element: Element) => {
    const known = beside.get(element) ?? isBeside(element)
    beside.set(element, known)
    return known
  }
  return (field) => {
    const id = field.getAttribute('form')
    if (id) byId ??= elementsById(elementsIn(body).filter(isForm))
    let form = id ? byId?.get(id) : undefined
    for (let up: Element | null = field; up && up !== body; up = up.parentNode) {
      if (isOut(up)) return undefined
      if (isForm(up)) form ??= up
    }
    return form && isEverywhere(form) ? undefined : (form ?? body)
  }
}

const isForm = ({ localName }: Element) => localName === 'form'
const isEverywhere = (form: Element) =>
  everywhere.test(['class', 'id', 'name', 'action'].map((name) => form.getAttribute(name)).join(' '))

function isBeside(element: Element): boolean {
  if (aside.test(element.localName) || asideRole.test(element.getAttribute('role') ?? '')) return true
  if (element.hasAttribute('hidden') || element.getAttribute('aria-hidden') === 'true') return true
  const style = element.getAttribute('style')
  if (style && hidesBox(styleOf(style))) return true
  return namesConsentManager(`${classOf(element)} ${element.getAttribute('id') ?? ''}`.toLowerCase().split(/\s+/))
}
