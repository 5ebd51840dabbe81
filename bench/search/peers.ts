import { create, insertMultiple, search, type AnyOrama } from '@orama/orama'
import MiniSearch from 'minisearch'
import type { Page } from './collection.ts'
import { leftOut, type Contestant } from './contestant.ts'

const nothing = async () => {}
const batch = 500
type Row = Page & { id: number }

/** @param setup the defaults, or what the guide of the peer advises for prose: stop words and stems. */
export function createMiniSearch(setup: 'as it comes' | 'tuned'): Contestant {
  const stops = new Set(leftOut)
  const stemmed = (term: string) => {
    const word = term.toLowerCase()
    return stops.has(word) ? null : word.replace(/(?:ing|ed|s)$/, '')
  }
  const index = new MiniSearch<Row>({
    fields: ['title', 'text', 'url'],
    ...(setup === 'tuned' && { processTerm: stemmed }),
    searchOptions: { boost: { title: 3, url: 0.5 } },
  })
  return {
    prepare: nothing,
    build: async (pages) => index.addAll(pages.map((page, id) => ({ ...page, id }))),
    search: async (text, limit) =>
      index
        .search(text)
        .slice(0, limit)
        .map(({ id }) => Number(id)),
    bytes: async () => 0,
    end: nothing,
  }
}

export function createOrama(): Contestant {
  const index: AnyOrama = create({
    schema: { title: 'string', text: 'string', url: 'string' },
    components: { tokenizer: { stemming: true, language: 'english', stopWords: leftOut } },
  })
  return {
    prepare: nothing,
    async build(pages) {
      await insertMultiple(
        index,
        pages.map((page, nth) => ({ ...page, id: String(nth) })),
        batch,
      )
    },
    async search(text, limit) {
      // Without a threshold of 1 it returns only pages that contain every word.
      const { hits } = await search(index, { term: text, limit, boost: { title: 3, url: 0.5 }, threshold: 1 })
      return hits.map(({ id }) => Number(id))
    },
    bytes: async () => 0,
    end: nothing,
  }
}
