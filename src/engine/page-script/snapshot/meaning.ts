import type { PageTools } from './tools.ts'

/// <reference lib="dom" />

/** Runs in the page: the role of what is shown, also where only its looks tell it. */
export function addMeaning(tools: PageTools): void {
  tools.roleIn = (element, style) => {
    const role = tools.roleOf(element)
    if ((role !== '' && role !== 'none') || element.localName === 'label') return role
    const { body, documentElement } = element.ownerDocument
    if (element === body || element === documentElement) return role
    if (element.hasAttribute('onclick') || (element as HTMLElement).tabIndex === 0)
      return scrolls(element, style) ? 'scroll area' : 'clickable'
    if (pointsFirst(element, style)) return 'clickable'
    return scrolls(element, style) ? 'scroll area' : role
  }

  /** The cursor says that a click does something, here and not only around it. */
  function pointsFirst(element: Element, { cursor }: CSSStyleDeclaration): boolean {
    const { parentElement } = element
    if (cursor !== 'pointer' || !parentElement) return false
    return getComputedStyle(parentElement).cursor !== 'pointer' && !element.closest('a,button,label,summary')
  }

  function scrolls({ scrollHeight, clientHeight }: Element, { overflowY }: CSSStyleDeclaration): boolean {
    return /auto|scroll/.test(overflowY) && clientHeight > 60 && scrollHeight > clientHeight + 40
  }
}

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Runs in the page: the role of an element, by ARIA in HTML. '' for what means nothing by itself. */
export function addRoles(tools: PageTools): void {
  const named = (pairs: string) => new Map(pairs.split(' ').map((pair) => pair.split(':') as [string, string]))
  const controls =
    /^(?:button|link|textbox|searchbox|combobox|listbox|checkbox|radio|switch|slider|spinbutton|option|tab|menuitem|menuitemcheckbox|menuitemradio|treeitem|file|date|color|clickable|editor|disclosure)$/
  const known =
    /^(?:alert|alertdialog|application|article|banner|button|cell|checkbox|columnheader|combobox|complementary|contentinfo|dialog|figure|form|grid|gridcell|group|heading|img|link|list|listbox|listitem|log|main|menu|menubar|menuitem|menuitemcheckbox|menuitemradio|meter|navigation|none|option|presentation|progressbar|radio|radiogroup|region|row|rowheader|search|searchbox|slider|spinbutton|status|switch|tab|table|tablist|tabpanel|textbox|toolbar|tooltip|tree|treegrid|treeitem)$/
  const byTag = named(
    'article:article aside:complementary button:button datalist:none details:group dialog:dialog fieldset:group figure:figure iframe:iframe frame:iframe main:main math:img menu:list meter:meter nav:navigation ol:list ul:list li:listitem optgroup:group option:option output:status pre:code progress:progressbar search:search summary:disclosure table:table textarea:textbox tr:row td:cell th:columnheader video:video audio:audio canvas:canvas h1:h1 h2:h2 h3:h3 h4:h4 h5:h5 h6:h6',
  )
  const byInput = named(
    'button:button submit:button reset:button image:button checkbox:checkbox radio:radio range:slider number:spinbutton search:searchbox file:file color:color date:date time:date datetime-local:date month:date week:date hidden:none',
  )
  const sameAs = named('gridcell:cell grid:table treegrid:table none: presentation:')
  const has = (element: Element, ...names: string[]) => names.some((name) => element.hasAttribute(name))
  const byElement: Record<string, (element: Element) => string> = {
    a: (element) => (has(element, 'href') ? 'link' : ''),
    area: (element) => (has(element, 'href') ? 'link' : ''),
    input: (element) => {
      const { type, list } = element as HTMLInputElement
      return byInput.get(type) ?? (list ? 'combobox' : 'textbox')
    },
    select: (element) => {
      const { multiple, size } = element as HTMLSelectElement
      return multiple || size > 1 ? 'listbox' : 'combobox'
    },
    img: (element) => (element.getAttribute('alt') === '' ? '' : 'img'),
    svg: (element) => (has(element, 'aria-label') || element.querySelector(':scope > title') ? 'img' : ''),
    // Those of an article or a section are none of the page.
    header: (element) => (element.closest('article,aside,main,nav,section,dialog') ? '' : 'banner'),
    footer: (element) => (element.closest('article,aside,main,nav,section,dialog') ? '' : 'contentinfo'),
    section: (element) => (has(element, 'aria-label', 'aria-labelledby') ? 'region' : ''),
    form: (element) => (has(element, 'aria-label', 'aria-labelledby') ? 'form' : ''),
  }

  tools.isControl = (role) => controls.test(role)
  tools.roleOf = (element) => {
    const roles = element.getAttribute('role')?.toLowerCase().split(/\s+/)
    const given = roles?.find((role) => known.test(role))
    if (given === 'heading') return `h${element.getAttribute('aria-level') ?? 2}`
    if (given) return sameAs.get(given) ?? given
    const editable = element.getAttribute('contenteditable')
    if (editable !== null && editable !== 'false') return 'editor'
    return byElement[element.localName]?.(element) ?? byTag.get(element.localName) ?? ''
  }
}
