import type { ContentView } from './view.ts'

/** Numbers the items of ordered lists once, so that the writer need not count siblings for each. */
export function numberLists(view: ContentView): void {
  for (const list of view.named('ol')) {
    let number = Number.parseInt(list.getAttribute('start') ?? '1', 10)
    if (Number.isNaN(number)) number = 1
    for (const item of list.children) {
      if (item.localName !== 'li') continue
      const own = Number.parseInt(item.getAttribute('value') ?? '', 10)
      if (!Number.isNaN(own)) number = own
      item.setAttribute('data-number', String(number++))
    }
  }
}
