import { instructions } from '../../model/instructions.ts'
import { isRecord } from '../../../util/json.ts'
import { askParts, closed, type PageModel, type PageQuestion } from '../../model/page/page-model.ts'
import type { Finders } from './find-spans.ts'

const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description })
const schema = closed({
  people: texts('Names of persons, in each form in which they are written.'),
  places: texts('Postal addresses of persons, each line of its own.'),
})
/** A shorter name would be found inside other words. */
const minLength = 3

/** Names and addresses that a model finds in a text, if the text has them verbatim. */
export async function namedByModel(
  model: PageModel,
  text: string,
): Promise<{ named: Finders['named']; isPartial: boolean }> {
  const question: PageQuestion = {
    task: 'redact',
    effort: 'fast',
    maxOutputTokens: 4000,
    system: instructions.redact,
    page: text,
  }
  const { value, isPartial } = await askParts(model, question, '', (part) => model.object({ ...part, schema }))
  const listed = (field: string) =>
    value.flatMap((each) => (isRecord(each) && Array.isArray(each[field]) ? (each[field] as unknown[]) : []))
  const named = (field: string, kind: 'PERSON' | 'LOCATION') =>
    [...new Set(listed(field))]
      .filter((each): each is string => typeof each === 'string' && each.trim().length >= minLength)
      .map((each) => ({ text: each.trim(), kind }))
  return { named: [...named('people', 'PERSON'), ...named('places', 'LOCATION')], isPartial }
}
