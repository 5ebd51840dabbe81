import { element } from './markup.ts'

/** Footnotes and endnotes of a document, numbered in the order of their references. */
export type Notes = {
  /** The reference to put into the text; the note is made when it is referred to first. */
  refer(id: string, content: () => string): string
  html(): string
}

export function createNotes(): Notes {
  const numbers = new Map<string, number>()
  const written: string[] = []
  return {
    refer(id, content) {
      const known = numbers.get(id)
      const number = known ?? numbers.size + 1
      if (known === undefined) {
        numbers.set(id, number)
        written[number - 1] = element('li', content(), { id: `fn-${number}` })
      }
      return element('sup', element('a', String(number), { href: `#fn-${number}` }))
    },
    html: () => (written.length > 0 ? element('section', element('ol', written.join('')), { class: 'footnotes' }) : ''),
  }
}
