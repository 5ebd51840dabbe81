import { ariaOf, elementsById, type FieldProperties, internalsOf, isHtml, labelElements, focusedIn } from './tree.ts'
import { isControl } from '../snapshot/page-outline.ts'
import { drawsItself } from './ink.ts'
import { clean, maxUnseen, textOf } from './element-text.ts'
import { isDisabled, textSight } from './sight.ts'

const words = (text: string) => new Set(text.split(' '))
const pairs = (text: string) => new Map(text.split(' ').map((pair) => pair.split(':') as [string, string]))

/** Roles of WAI-ARIA 1.2 that snapshots print. */
const reportedRoles = words(
  'alert alertdialog application article banner button cell checkbox columnheader combobox complementary contentinfo dialog figure form grid gridcell group heading image img link list listbox listitem log main menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none option presentation progressbar radio radiogroup region row rowheader search searchbox slider spinbutton status switch tab table tablist tabpanel textbox toolbar tooltip tree treegrid treeitem',
)
/** Roles of little use to a reader, known to selectors only. */
const unreported = words(
  'blockquote caption code definition deletion directory document emphasis feed generic insertion mark marquee math note paragraph rowgroup scrollbar separator strong subscript superscript term time timer',
)

const byTag = pairs(
  'article:article aside:complementary blockquote:blockquote button:button code:code dd:definition details:group dialog:dialog dt:term fieldset:group figure:figure h1:heading h2:heading h3:heading h4:heading h5:heading h6:heading hr:separator li:listitem main:main math:math menu:list meter:meter nav:navigation ol:list optgroup:group option:option output:status p:paragraph progress:progressbar search:search summary:button table:table tbody:rowgroup td:cell textarea:textbox tfoot:rowgroup th:columnheader thead:rowgroup tr:row ul:list',
)
const byInputType = pairs(
  'button:button submit:button reset:button image:button checkbox:checkbox radio:radio range:slider number:spinbutton search:searchbox text:textbox email:textbox tel:textbox url:textbox password:textbox',
)

/** Headers and footers of an article or a section are not landmarks of the page. */
const isOfPage = (element: Element) => !element.closest('article,aside,main,nav,section,dialog')
const isNamed = (element: Element) => element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby')

const byElement: Record<string, (element: Element) => string> = {
  a: (element) => (element.hasAttribute('href') ? 'link' : ''),
  area: (element) => (element.hasAttribute('href') ? 'link' : ''),
  input(element) {
    const { type = '', list }: FieldProperties = element
    return list && /^(?:text|search|tel|url|email)$/.test(type) ? 'combobox' : (byInputType.get(type) ?? '')
  },
  select(element) {
    const { multiple, size = 0 }: FieldProperties = element
    return multiple || size > 1 ? 'listbox' : 'combobox'
  },
  img: (element) => (element.getAttribute('alt') === '' ? 'presentation' : 'img'),
  svg: (element) => (element.hasAttribute('aria-label') || element.querySelector(':scope > title') ? 'img' : ''),
  header: (element) => (isOfPage(element) ? 'banner' : ''),
  footer: (element) => (isOfPage(element) ? 'contentinfo' : ''),
  section: (element) => (isNamed(element) ? 'region' : ''),
  form: (element) => (isNamed(element) ? 'form' : ''),
}

/** Returns the first known role in the attribute (WAI-ARIA 1.2, 8.1). */
function statedRole(element: Element, known: ReadonlySet<string>): string | undefined {
  const stated = (element.getAttribute('role') ?? internalsOf(element)?.['role'])?.toLowerCase().split(/\s+/)
  return stated?.find((role) => known.has(role))
}

/** Returns the role that HTML gives an element (HTML-AAM 1.0); '' for none. */
const nativeRole = (element: Element) => byElement[element.localName]?.(element) ?? byTag.get(element.localName) ?? ''

/** More specific words than ARIA has: heading levels, and input types of fields. */
const wordByTag = pairs(
  'datalist:none iframe:iframe frame:iframe math:img pre:code summary:disclosure video:video audio:audio canvas:canvas h1:h1 h2:h2 h3:h3 h4:h4 h5:h5 h6:h6',
)
const wordByInputType = pairs(
  'file:file color:color date:date time:date datetime-local:date month:date week:date hidden:none',
)
const sameAs = pairs('gridcell:cell grid:table treegrid:table image:img none: presentation:')

/** Returns the role of an element for snapshots: its ARIA role or a plainer word; '' if it has no meaning by itself. */
export function roleOf(element: Element): string {
  const stated = statedRole(element, reportedRoles)
  if (stated === 'heading') return `h${ariaOf(element, 'level') ?? 2}`
  if (stated) return sameAs.get(stated) ?? stated
  const editable = element.getAttribute('contenteditable')
  if (editable !== null && editable !== 'false') return 'editor'
  return nativeWord(element)
}

function nativeWord(element: Element): string {
  const word = isHtml(element, 'input') ? wordByInputType.get(element.type) : wordByTag.get(element.localName)
  if (word) return word
  const role = nativeRole(element)
  return unreported.has(role) ? '' : (sameAs.get(role) ?? role)
}

const namedByContent =
  /^(?:button|link|h\d|option|tab|menuitem|menuitemcheckbox|menuitemradio|treeitem|checkbox|radio|switch|cell|columnheader|rowheader|row|tooltip|disclosure|clickable)$/
const maxName = 300

/** Returns the accessible name (AccName 1.2, without generated content); of non-controls the visible text. */
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
  if (!isControl(role)) return textOf(element, maxName)
  const name = textOf(element, maxName, ['aside'])
  return (
    name ||
    textOf(element, maxName, ['unspoken']) ||
    (drawsItself(element) ? textOf(element, maxUnseen, ['aside', 'masked']) : '')
  )
}

export function describe(element: Element): string {
  const role = roleOf(element) || element.localName
  const name = nameOf(element, role) || textOf(element, 60)
  return name ? `${role} "${name.slice(0, 60)}"` : role
}

function statedName(element: Element, role: string): string {
  const name = clean(labelledBy(element).join(' ')) || clean(ariaOf(element, 'label'))
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

/** Default labels of buttons without a value in browsers. */
const defaultNames = new Map([
  ['submit', 'Submit'],
  ['reset', 'Reset'],
])
const titleElements: Record<string, string> = { fieldset: 'legend', table: 'caption', figure: 'figcaption' }

/** Returns the name that HTML gives (HTML-AAM 1.0, 5.1). */
function nativeName(element: Element, role: string): string | null | undefined {
  const { localName } = element
  if (/^(?:input|select|textarea|meter|progress|output|button)$|-/.test(localName)) return fieldName(element, role)
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

export function statesOf(element: Element, role: string): string[] {
  const is = (name: string) => ariaOf(element, name) === 'true'
  const { checked, indeterminate, readOnly, required }: FieldProperties = element
  const isNative = element.localName === 'input' && /^(?:checkbox|radio|switch)$/.test(role)
  const mixed = ['checked', 'pressed'].some((name) => ariaOf(element, name) === 'mixed')
  const expanded = ariaOf(element, 'expanded') ?? detailsState(element, role)
  const list: [string, boolean][] = [
    ['checked', isNative ? checked === true && !indeterminate : is('checked')],
    ['mixed', mixed || (isNative && indeterminate === true)],
    ['pressed', is('pressed')],
    ['selected', is('selected') || (isHtml(element, 'option') && element.selected)],
    ['expanded', expanded === 'true'],
    ['collapsed', expanded === 'false'],
    ['current', element.matches('[aria-current]:not([aria-current=false],[aria-current=""])')],
    ['disabled', isControl(role) && isDisabled(element)],
    ['read-only', readOnly === true || is('readonly')],
    ['required', required === true || is('required')],
    ['focused', focusedIn(element.ownerDocument) === element],
  ]
  return list.filter(([, holds]) => holds).map(([name]) => name)
}

function detailsState(element: Element, role: string): string | null {
  if (role !== 'disclosure') return null
  const { parentElement } = element
  return String(isHtml(parentElement, 'details') && parentElement.open)
}

const maxEditor = 400

/** Returns the text or choice of a control. A password is never returned. */
export function valueOf(element: Element, role: string): string | undefined {
  if (isHtml(element, 'select')) return Array.from(element.selectedOptions, optionText).join(', ')
  if (isHtml(element, 'textarea')) return textSight(element) === 'seen' ? element.value : undefined
  if (isHtml(element, 'input')) return inputValue(element, role)
  if (isHtml(element, 'progress', 'meter')) return `${element.value}/${element.max || 1}`
  if (role === 'editor' || role === 'textbox') return textOf(element, maxEditor)
  const spoken = ariaOf(element, 'valuetext') ?? ariaOf(element, 'valuenow')
  return spoken ?? (role === 'combobox' ? textOf(element, 80) : undefined)
}

function inputValue(field: HTMLInputElement, role: string): string | undefined {
  if (field.type === 'password') return field.value === '' ? '' : '•••'
  if (field.type === 'file') return Array.from(field.files ?? [], ({ name }) => name).join(', ')
  const isText = role === 'slider' || (!/^(?:checkbox|radio|switch|button)$/.test(role) && textSight(field) === 'seen')
  return isText ? field.value : undefined
}

export const optionText = (option: HTMLOptionElement): string => clean(option.label || option.text)

/** Returns what a field accepts: its options, range, date format or file types. */
export function acceptedInput(element: Element): string | undefined {
  if (isHtml(element, 'select')) {
    const options = Array.from(element.options, optionText)
    const all = options.join(' | ')
    return all.length <= 120 ? all : `${all.slice(0, 100)}… ${options.length} options`
  }
  if (!isHtml(element, 'input')) return undefined
  const { type, min, max, accept } = element
  if (type === 'range') return `${min || 0}–${max || 100}`
  if (/^(?:date|time|month|week|datetime-local)$/.test(type))
    return { date: 'yyyy-mm-dd', time: 'hh:mm', month: 'yyyy-mm', week: 'yyyy-Www' }[type] ?? 'yyyy-mm-ddThh:mm'
  return type === 'file' && accept ? accept : undefined
}
