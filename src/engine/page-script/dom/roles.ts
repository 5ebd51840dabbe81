import { type FieldProperties, isHtml } from './kinds.ts'

const words = (text: string) => new Set(text.split(' '))
const pairs = (text: string) => new Map(text.split(' ').map((pair) => pair.split(':') as [string, string]))

/** Roles that snapshots name, of WAI-ARIA 1.2. */
const told = words(
  'alert alertdialog application article banner button cell checkbox columnheader combobox complementary contentinfo dialog figure form grid gridcell group heading img link list listbox listitem log main menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none option presentation progressbar radio radiogroup region row rowheader search searchbox slider spinbutton status switch tab table tablist tabpanel textbox toolbar tooltip tree treegrid treeitem',
)
/** Roles that say little to a reader, and are known to selectors alone. */
const untold = words(
  'blockquote caption code definition deletion directory document emphasis feed generic insertion mark marquee math note paragraph rowgroup scrollbar separator strong subscript superscript term time timer',
)

const byTag = pairs(
  'article:article aside:complementary blockquote:blockquote button:button code:code dd:definition details:group dialog:dialog dt:term fieldset:group figure:figure h1:heading h2:heading h3:heading h4:heading h5:heading h6:heading hr:separator li:listitem main:main math:math menu:list meter:meter nav:navigation ol:list optgroup:group option:option output:status p:paragraph progress:progressbar search:search summary:button table:table tbody:rowgroup td:cell textarea:textbox tfoot:rowgroup th:columnheader thead:rowgroup tr:row ul:list',
)
const byInputType = pairs(
  'button:button submit:button reset:button image:button checkbox:checkbox radio:radio range:slider number:spinbutton search:searchbox text:textbox email:textbox tel:textbox url:textbox password:textbox',
)

/** Landmarks of an article or a section are none of the page. */
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

/** The first of the roles in the attribute that is a known one (WAI-ARIA 1.2, 8.1). */
function statedRole(element: Element, known: ReadonlySet<string>): string | undefined {
  const stated = element.getAttribute('role')?.toLowerCase().split(/\s+/)
  return stated?.find((role) => known.has(role))
}

/** The role that HTML gives an element (HTML-AAM 1.0); '' for none. */
const nativeRole = (element: Element) => byElement[element.localName]?.(element) ?? byTag.get(element.localName) ?? ''

/** Where a snapshot says more than ARIA does: how a heading ranks, and what a field takes. */
const wordByTag = pairs(
  'datalist:none iframe:iframe frame:iframe math:img pre:code summary:disclosure video:video audio:audio canvas:canvas h1:h1 h2:h2 h3:h3 h4:h4 h5:h5 h6:h6',
)
const wordByInputType = pairs(
  'file:file color:color date:date time:date datetime-local:date month:date week:date hidden:none',
)
const sameAs = pairs('gridcell:cell grid:table treegrid:table none: presentation:')

/** The role of an element as snapshots name it: that of ARIA, or a plainer word; '' for what means nothing by itself. */
export function roleOf(element: Element): string {
  const stated = statedRole(element, told)
  if (stated === 'heading') return `h${element.getAttribute('aria-level') ?? 2}`
  if (stated) return sameAs.get(stated) ?? stated
  const editable = element.getAttribute('contenteditable')
  if (editable !== null && editable !== 'false') return 'editor'
  return nativeWord(element)
}

function nativeWord(element: Element): string {
  const word = isHtml(element, 'input') ? wordByInputType.get(element.type) : wordByTag.get(element.localName)
  if (word) return word
  const role = nativeRole(element)
  return untold.has(role) ? '' : (sameAs.get(role) ?? role)
}

const controls = words(
  'button link textbox searchbox combobox listbox checkbox radio switch slider spinbutton option tab menuitem menuitemcheckbox menuitemradio treeitem file date color clickable editor disclosure',
)

export const isControl = (role: string): boolean => controls.has(role)
