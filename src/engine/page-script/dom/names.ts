import { isHtml, labelElements } from './kinds.ts'
import { drawsItself } from './ink.ts'
import { isControl, roleOf } from './roles.ts'
import { clean, maxUnseen, textOf } from './text.ts'
import { elementsById } from './tree.ts'

const namedByContent =
  /^(?:button|link|h\d|option|tab|menuitem|menuitemcheckbox|menuitemradio|treeitem|checkbox|radio|switch|cell|columnheader|rowheader|row|tooltip|disclosure|clickable)$/
const mostName = 300

/**
 * The accessible name (Accessible Name and Description Computation 1.2, without generated content). Who acts needs the names
 * of controls also where people see a drawing instead; of all else the text that they see counts.
 */
export function nameOf(element: Element, role: string): string {
  return (
    statedName(element, role) ||
    clean(nativeName(element, role)) ||
    (namedByContent.test(role) ? nameByContent(element, role) : '') ||
    clean(
      element.getAttribute('title') ?? element.getAttribute('aria-placeholder') ?? element.getAttribute('placeholder'),
    )
  )
}

function nameByContent(element: Element, role: string): string {
  if (!isControl(role)) return textOf(element, mostName)
  const name = textOf(element, mostName, ['aside'])
  return name || (drawsItself(element) ? textOf(element, maxUnseen, ['aside', 'masked']) : '')
}

/** Role and name in a few words: `button "Save"`. */
export function describe(element: Element): string {
  const role = roleOf(element) || element.localName
  const name = nameOf(element, role) || textOf(element, 60)
  return name ? `${role} "${name.slice(0, 60)}"` : role
}

function statedName(element: Element, role: string): string {
  const name = clean(labelledBy(element).join(' ')) || clean(element.getAttribute('aria-label'))
  return isControl(role) || role === 'img' ? name : name.slice(0, maxUnseen)
}

function labelledBy(element: Element): string[] {
  return elementsById(element, 'aria-labelledby').map((other) => other.getAttribute('aria-label') ?? textOfLabel(other))
}

const fieldLabels = (element: Element) => labelElements(element).map(textOfLabel)

/** A label may itself be hidden. */
function textOfLabel(label: Element): string {
  return textOf(label, 200, ['aside']) || clean(label.textContent).slice(0, maxUnseen)
}

/** What browsers write on buttons without a value. */
const defaultNames = new Map([
  ['submit', 'Submit'],
  ['reset', 'Reset'],
])
const titleElements: Record<string, string> = { fieldset: 'legend', table: 'caption', figure: 'figcaption' }

/** The name that HTML gives (HTML-AAM 1.0, 5.1). */
function nativeName(element: Element, role: string): string | null | undefined {
  const { localName } = element
  if (/^(?:input|select|textarea|meter|progress|output|button)$/.test(localName)) return fieldName(element, role)
  if (/^(?:img|area)$/.test(localName)) return element.getAttribute('alt')
  if (localName === 'svg') return element.querySelector(':scope > title')?.textContent
  const title = titleElements[localName]
  if (title) return textOfFirst(element, title)
  if (localName === 'iframe') return element.getAttribute('title') ?? element.getAttribute('name')
  return role === 'dialog' || role === 'alertdialog' ? textOfFirst(element, 'h1,h2,h3,[role=heading]') : undefined
}

function textOfFirst(element: Element, selector: string): string {
  const child = element.querySelector(selector)
  return child ? textOf(child, 120) : ''
}

function fieldName(element: Element, role: string): string | undefined {
  const labels = fieldLabels(element).join(' ')
  if (clean(labels)) return labels
  if (role !== 'button' || !isHtml(element, 'input')) return undefined
  if (element.type === 'image') return element.alt
  return element.value || defaultNames.get(element.type)
}
