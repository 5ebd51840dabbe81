import { parseHTML } from 'linkedom'
import type { Reader } from './reader.ts'

/** A simple baseline: chooses blocks by words shared with the question, and fields by the usual meta tags. */
export const plain: Reader = {
  name: 'plain: shared words, meta tags',
  open(html) {
    const { document } = parseHTML(html)
    const meta = (name: string) =>
      document.querySelector(`meta[property="${name}"], meta[name="${name}"]`)?.getAttribute('content')?.trim() ||
      undefined
    const fields = {
      article: {
        title: document.querySelector('h1')?.textContent.trim() || document.querySelector('title')?.textContent.trim(),
        author: meta('author'),
        date: meta('article:published_time') ?? document.querySelector('time')?.getAttribute('datetime') ?? undefined,
      },
      product: { name: meta('og:title'), price: meta('product:price:amount') ?? meta('og:price:amount') },
    }
    for (const unread of document.querySelectorAll('script, style, noscript, template, svg')) unread.remove()
    const blocks = [...document.querySelectorAll('p, li, td, dd, dt, h1, h2, h3, h4, summary')].map((element) =>
      element.textContent.replace(/\s+/g, ' ').trim(),
    )
    const ranked = (query: string) => {
      const asked = new Set(wordsOf(query))
      const shared = (block: string) => new Set(wordsOf(block).filter((word) => asked.has(word))).size
      return blocks.toSorted((one, other) => shared(other) - shared(one))
    }
    return {
      answer: (question) => ranked(question)[0] ?? '',
      highlights: (query) => ranked(query).slice(0, 3).join('\n'),
      fields: (kind) => fields[kind],
    }
  },
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
