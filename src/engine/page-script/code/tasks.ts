import type { Place } from './aim.ts'

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** What the finders of `find.ts` are to a task; the first argument of each. */
export type Find = {
  all(steps: unknown, root?: Element): Element[]
  isShown(element: Element): boolean
  roleOf(element: Element): string
  nameOf(element: Element): string
  placeOf(element: Element): Place
  tagOf(element: Element): string
}

/** Runs in the page: what is wanted of all that was found, or of the first. */
export function readAll(find: Find, steps: unknown, what: string, name = '', root?: Element): unknown {
  const found = find.all(steps, root)
  const [element] = found as HTMLInputElement[]
  const isOff = () => element!.closest(':disabled,[aria-disabled=true]') !== null
  const ofAll: Record<string, () => unknown> = {
    count: () => found.length,
    visible: () => element !== undefined && find.isShown(element),
    texts: () => found.map((each) => each.textContent),
    innerTexts: () => found.map((each) => (each as HTMLElement).innerText),
    elements: () => found,
    first: () => element,
  }
  const ofFirst: Record<string, () => unknown> = {
    attribute: () => element!.getAttribute(name),
    checked: () =>
      element!.getAttribute('role') ? element!.getAttribute('aria-checked') === 'true' : element!.checked,
    disabled: isOff,
    editable: () => !isOff() && !element!.readOnly,
    box: () => {
      const { x, y, width, height } = element!.getBoundingClientRect()
      return { x, y, width, height }
    },
    value: () => ((element as { control?: HTMLInputElement }).control ?? element!).value,
  }
  const read = ofAll[what] ?? (element && (ofFirst[what] ?? (() => element[what as 'textContent'])))
  return read?.()
}

/** Runs in the page: does something to the element that was found. Answers what went wrong, or what came of it. */
export function change(find: Find, steps: unknown, what: string, given?: unknown, root?: Element): unknown {
  const found = find.all(steps, root)[0] as (HTMLInputElement & { control?: HTMLInputElement }) | undefined
  if (!found) return { fault: 'The element is gone.' }
  const element = found.control ?? found
  const tell = () => {
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
    element.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const ways: Record<string, () => unknown> = {
    focus: () => element.focus(),
    blur: () => element.blur(),
    scroll: () => element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' }),
    click: () => element.click(),
    dispatch: () =>
      void element.dispatchEvent(new Event(String(given), { bubbles: true, cancelable: true, composed: true })),
    'select-text': () => {
      element.focus()
      if ('select' in element) element.select()
      else getSelection()?.selectAllChildren(element)
    },
    fill: () => {
      if (!/^(?:color|date|datetime-local|month|range|time|week)$/.test(element.type)) return 'type'
      element.value = String(given)
      return element.value === given ? tell() : { fault: 'Malformed value' }
    },
    options: choose,
  }
  return ways[what]?.()

  function choose(): unknown {
    const wanted = given as { value?: string; label?: string; index?: number }[]
    const select = element as unknown as HTMLSelectElement
    if (select.tagName !== 'SELECT') return { fault: 'Element is not a <select> element' }
    const isWanted = (option: HTMLOptionElement, nth: number) =>
      wanted.some(({ value, label, index }) => {
        if (index !== undefined) return index === nth
        return label === undefined ? value === option.value || value === option.label : label === option.label
      })
    const chosen = Array.from(select.options).filter(isWanted)
    if (chosen.length === 0 && wanted.length > 0) return 'wait'
    for (const option of select.options) option.selected = chosen.includes(option)
    tell()
    return chosen.map(({ value }) => value)
  }
}
