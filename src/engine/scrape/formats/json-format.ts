import type { PageContent } from '../../../contracts/page-content.ts'
import { isRecord } from '../../../util/json.ts'
import { jsonByModel, quotesByModel, type Evidence } from '../../model/page/json-by-model.ts'
import { factsOf, mainEntity, tablesOf } from '../../understand/json/named-facts.ts'
import { completed } from '../../model/page/complete.ts'
import { fillSchema } from '../../understand/json/fill.ts'
import type { ModelAnswer, PageModel } from '../../model/page/page-model.ts'
import { type FormatOf, type MadeBy, type MakerOf, type PageView, understand } from './format-maker.ts'

/**
 * Extracts data of the page by a schema, a prompt or both. Without a model, returns the values that the page labels
 * with the names of the schema.
 */
export const json: MakerOf<'json'> = {
  needs: ['markdown', 'metadata', 'product', 'structuredData', 'facts'],
  async make(page, wanted) {
    const { data, ...notes } = await dataOf(page, wanted)
    return { json: data, ...notes }
  },
}

type JsonOptions = Omit<FormatOf<'json'>, 'type'>
type Data = { data: unknown; madeBy: MadeBy; warning?: string }

export async function dataOf(page: Pick<PageView, 'content' | 'model'>, wanted: JsonOptions): Promise<Data> {
  const { value, warning, madeBy } = await understand(page, {
    what: 'JSON',
    byModel: (model) => byModel(model, page.content.markdown ?? '', wanted),
    builtIn: () => builtIn(page.content, wanted),
  })
  const { data, evidence, note } = value
  const notes = [warning, note].filter((each) => each !== undefined).join(' ')
  return {
    data,
    madeBy: { ...madeBy, ...(wanted.evidence && { evidence }) },
    ...(notes !== '' && { warning: notes }),
  }
}

type Extraction = { data: unknown; evidence: Record<string, Evidence>; note: string | undefined }

async function byModel(model: PageModel, markdown: string, wanted: JsonOptions): Promise<ModelAnswer<Extraction>> {
  const { value, unreadable = [], ...how } = await jsonByModel(model, markdown, wanted)
  const { value: data, missing } = completed(value, wanted.schema)
  const evidence = wanted.evidence ? await quotesByModel(model, markdown, data) : {}
  // A path with a name that the schema does not contain is not listed in the note: it may be text of the page.
  const named = JSON.stringify(wanted.schema ?? {})
  const known = unreadable.filter((path) => path.match(/[^.[\]]+/g)?.every((name) => named.includes(name)))
  const notes = [
    listOf(
      'Not found on the page',
      missing.filter((path) => !known.includes(path)),
    ),
    listOf('Left out, because the answer of the language model does not fit the schema', known),
  ]
  return { ...how, value: { data, evidence, note: notes.filter(Boolean).join(' ') || undefined } }
}

function listOf(what: string, paths: readonly string[]): string | undefined {
  const more = paths.length > maxListed ? ` and ${paths.length - maxListed} more` : ''
  return paths.length > 0 ? `${what}: ${paths.slice(0, maxListed).join(', ')}${more}.` : undefined
}

const maxListed = 12

function builtIn(content: PageContent, { schema, prompt }: JsonOptions): Extraction {
  if (!isRecord(schema)) {
    const data = mainEntity(content) ?? {}
    return {
      data,
      evidence: {},
      note: `Without a schema, the result is the structured data of the page${prompt === undefined ? '' : '; the prompt needs a language model'}.`,
    }
  }
  const { value, missing, evidence } = fillSchema(schema, {
    facts: factsOf(content),
    tables: tablesOf(content.markdown ?? ''),
  })
  return { data: completed(value, schema).value, evidence, note: listOf('Not found on the page', missing) }
}
