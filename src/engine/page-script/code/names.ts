/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** What tells in a page how elements are called; sent as `find.ts` is. */
export const namers: readonly ((...given: never[]) => unknown)[] = [
  tidy,
  textOf,
  isShown,
  labelsOf,
  roleOf,
  inputRole,
  nameOf,
  ownName,
  contentIfNaming,
  contentName,
]
/** Those of them that others use. */
export const shared = { tidy, textOf, isShown, labelsOf, roleOf, nameOf }
export type Names = typeof shared

function tidy(text: string | null): string {
  return (text ?? '').replace(/\s+/g, ' ').trim()
}

/** Buttons of forms say their value; scripts are not heard. */
function textOf(element: Element): string {
  if (element instanceof HTMLInputElement) return /^(?:button|submit|reset)$/.test(element.type) ? element.value : ''
  const silent = 'script,style,noscript'
  if (!element.querySelector(silent)) return tidy(element.textContent)
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let text = ''
  while (texts.nextNode())
    if (!texts.currentNode.parentElement?.closest(silent)) text += texts.currentNode.nodeValue ?? ''
  return tidy(text)
}

function isShown(element: Element): boolean {
  if (!element.checkVisibility({ visibilityProperty: true })) return false
  const { width, height } = element.getBoundingClientRect()
  return (width > 0 && height > 0) || getComputedStyle(element).display === 'contents'
}

function labelsOf(element: Element): string[] {
  const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean)
  const root = element.getRootNode() as Document
  const labels = Array.from((element as HTMLInputElement).labels ?? [], (label) => tidy(label.textContent))
  const said = element.getAttribute('aria-label')
  return [...ids.map((id) => tidy(root.getElementById(id)?.textContent ?? '')), ...(said ? [said] : []), ...labels]
}

/** The role that HTML gives (HTML-AAM), or the one that is written down. */
function roleOf(element: Element): string {
  const said = element.getAttribute('role')?.trim().split(/\s+/)[0]
  if (said) return said
  const tag = element.tagName.toLowerCase()
  if (tag === 'input') return inputRole(element as HTMLInputElement)
  if (tag === 'a' || tag === 'area') return element.hasAttribute('href') ? 'link' : ''
  if (tag === 'img') return element.getAttribute('alt') === '' ? 'presentation' : 'img'
  if (tag === 'select') return element.matches('[multiple],[size]:not([size="1"])') ? 'listbox' : 'combobox'
  const plain =
    'button=button summary=button textarea=textbox option=option h1=heading h2=heading h3=heading h4=heading h5=heading ' +
    'h6=heading nav=navigation main=main header=banner footer=contentinfo aside=complementary form=form search=search ' +
    'ul=list ol=list li=listitem table=table tr=row td=cell th=columnheader thead=rowgroup tbody=rowgroup dialog=dialog ' +
    'article=article section=region p=paragraph progress=progressbar meter=meter hr=separator fieldset=group details=group ' +
    'figure=figure blockquote=blockquote code=code output=status dt=term dd=definition '
  return new RegExp(`(?:^| )${tag}=(\\w+) `).exec(plain)?.[1] ?? ''
}

function inputRole({ type, list }: HTMLInputElement): string {
  if (list) return 'combobox'
  const plain =
    'button=button submit=button reset=button image=button checkbox=checkbox radio=radio range=slider number=spinbutton ' +
    'search=searchbox text=textbox email=textbox tel=textbox url=textbox password=textbox '
  return new RegExp(`(?:^| )${type}=(\\w+) `).exec(plain)?.[1] ?? ''
}

/** A name for an element, in the order of the accessible name computation (accname-1.2), without its rarer steps. */
function nameOf(element: Element): string {
  return labelsOf(element).find(Boolean) ?? ownName(element)
}

function ownName(element: Element): string {
  const tag = element.tagName
  const attribute = (name: string) => tidy(element.getAttribute(name))
  const { type, value } = element as HTMLInputElement
  if (/^(?:IMG|AREA)$/.test(tag) || type === 'image') return attribute('alt') || attribute('title')
  if (tag === 'INPUT' && /^(?:submit|button|reset)$/.test(type))
    return value || type.replace(/^[sr]/, (letter) => letter.toUpperCase())
  if (/^(?:INPUT|TEXTAREA|SELECT)$/.test(tag)) return attribute('title') || attribute('placeholder')
  const head = { TABLE: 'caption', FIELDSET: 'legend', FIGURE: 'figcaption' }[tag]
  const content = head === undefined ? contentIfNaming(element) : tidy(element.querySelector(head)?.textContent ?? '')
  return content || attribute('title')
}

/** Of most elements the content is no name. */
function contentIfNaming(element: Element): string {
  const named =
    /^(?:button|cell|checkbox|columnheader|gridcell|heading|link|menuitem|menuitemcheckbox|menuitemradio|option|radio|row|rowheader|switch|tab|tooltip|treeitem)$/
  return named.test(roleOf(element)) ? contentName(element) : ''
}

function contentName(element: Element): string {
  const parts = Array.from(element.childNodes, (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent
    if (!(node instanceof Element) || node.getAttribute('aria-hidden') === 'true' || !node.checkVisibility()) return ''
    const gap = getComputedStyle(node).display === 'inline' ? '' : ' '
    return gap + (labelsOf(node).find(Boolean) ?? (ownName(node) || contentName(node))) + gap
  })
  return tidy(parts.join(''))
}
