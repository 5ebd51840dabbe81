import { isRecord } from '../../../util/json.ts'
import type { ModelAnswer, PageModel, PageQuestion } from '../page-model.ts'

/** More parts of one page would cost more than anybody expects of one scrape. */
const maxParts = 6
const maxOutputTokens = 4000

type Wanted = { schema?: object | undefined; prompt?: string | undefined }

/** Data of a page by a schema, a prompt or both. A page too long for one question is read in parts, which are merged. */
export async function jsonByModel(
  model: PageModel,
  page: string,
  { schema, prompt }: Wanted,
): Promise<ModelAnswer<unknown>> {
  const question: PageQuestion = {
    task: 'json',
    effort: 'best',
    maxOutputTokens,
    system:
      'You extract data from a web page. Take values only from the page and as it writes them; leave out, or set to null, what it does not say. Never guess.',
    page,
    ask: prompt === undefined ? undefined : `What to extract: ${prompt}`,
  }
  const parts = model.parts(question)
  const asked = schema ?? { type: 'object' }
  const [first = '', ...rest] = parts.slice(0, maxParts)
  if (rest.length === 0) return model.object({ ...question, page: first, schema: asked })
  const answers = await Promise.all(
    [first, ...rest].map((part) => model.object({ ...question, page: part, schema: withoutRequired(asked) })),
  )
  return {
    value: answers.map(({ value }) => value).reduce(merged),
    model: answers[0]?.model ?? '',
    isPartial: parts.length > maxParts || answers.some(({ isPartial }) => isPartial),
  }
}

/** One part of a page, and one page of many, need not hold every field. */
export function withoutRequired(schema: unknown): Record<string, unknown> {
  const relaxed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(relaxed)
    if (!isRecord(value)) return value
    const entries = Object.entries(value).filter(([key, each]) => key !== 'required' || !Array.isArray(each))
    return Object.fromEntries(entries.map(([key, each]) => [key, relaxed(each)]))
  }
  return relaxed(schema) as Record<string, unknown>
}

/** Of two parts the earlier one counts; lists go on, without what they hold already. */
export function merged(one: unknown, other: unknown): unknown {
  if (isEmpty(one)) return other
  if (Array.isArray(one) && Array.isArray(other)) {
    const known = new Set(one.map((each) => JSON.stringify(each)))
    return [...one, ...other.filter((each) => !known.has(JSON.stringify(each)))]
  }
  if (!isRecord(one) || !isRecord(other)) return one
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return Object.fromEntries(keys.map((key) => [key, merged(one[key], other[key])]))
}

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
