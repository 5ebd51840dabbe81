import { isDeepStrictEqual } from 'node:util'
import type { AnyOperation } from '../../kernel/operation.ts'
import { isRecord } from '../../util/json.ts'

type Fields = Readonly<Record<string, unknown>>

/** An input without the fields that go without saying: what was kept of a call has all defaults in it. */
export function shortInput({ input: schema }: Pick<AnyOperation, 'input'>, given: Fields): Fields {
  const read = (fields: Fields): Fields | undefined => schema.safeParse(fields).data
  const whole = read(given)
  if (!whole) return given
  const isNeedless = (fields: Fields) => isDeepStrictEqual(read(fields), whole)
  return shorter(given, (fields) => fields, isNeedless)
}

/** `within`: the whole input with these fields in their place. */
function shorter(fields: Fields, within: (fields: Fields) => Fields, isNeedless: (whole: Fields) => boolean): Fields {
  let kept = fields
  for (const name of Object.keys(fields)) {
    const { [name]: value, ...others } = kept
    if (isNeedless(within(others))) kept = others
    else if (isRecord(value))
      kept = { ...kept, [name]: shorter(value, (inner) => within({ ...kept, [name]: inner }), isNeedless) }
  }
  return kept
}
