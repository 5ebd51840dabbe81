import type { PageContent } from '../../../contracts/page-content.ts'
import { isRecord } from '../../../util/json.ts'
import { jsonByModel } from '../../understand/json/by-model.ts'
import { factsOf, mainEntity, tablesOf } from '../../understand/json/facts.ts'
import { fillSchema } from '../../understand/json/fill.ts'
import type { FormatOf, MakerOf } from './maker.ts'
import { understand } from './understand.ts'

/** Data of the page by a schema, a prompt or both; without a model, what the page says under the names of the schema. */
export const json: MakerOf<'json'> = {
  needs: ['markdown', 'metadata', 'product', 'structuredData'],
  async make(page, wanted) {
    const { value, warning, madeBy } = await understand(page, {
      what: 'JSON',
      byModel: async (model) => {
        const answer = await jsonByModel(model, page.content.markdown ?? '', wanted)
        return { ...answer, value: { data: answer.value, note: undefined } }
      },
      builtIn: () => builtIn(page.content, wanted),
    })
    const notes = [warning, value.note].filter((note) => note !== undefined).join(' ')
    return { json: value.data, madeBy, ...(notes !== '' && { warning: notes }) }
  },
}

const maxListed = 12

function builtIn(
  content: PageContent,
  { schema, prompt }: FormatOf<'json'>,
): { data: unknown; note: string | undefined } {
  if (!isRecord(schema)) {
    const data = mainEntity(content) ?? {}
    return {
      data,
      note: `Without a schema it is what the page says of itself as structured data${prompt === undefined ? '' : '; the prompt needs a language model'}.`,
    }
  }
  const { value, missing } = fillSchema(schema, { facts: factsOf(content), tables: tablesOf(content.markdown ?? '') })
  const listed = missing.slice(0, maxListed).join(', ')
  const more = missing.length > maxListed ? ` and ${missing.length - maxListed} more` : ''
  return { data: value, note: missing.length > 0 ? `Not found on the page: ${listed}${more}.` : undefined }
}
