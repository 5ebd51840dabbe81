import { parse, patch, stringify } from '@decimalturn/toml-patch'
import { isRecord } from '../../../util/json.ts'
import { ConfigFault, type ConfigText, isSame, newlineOf, type Place } from './config-text.ts'

type Values = Record<string, unknown>
/** Servers have tables of their own, down to their environment. */
const asTables = { inlineTableStart: 5 }

export const tomlText: ConfigText = {
  read,
  put(text, place, value) {
    const rest = tomlText.remove(text, place)
    const wanted = withValue(read(text), place, value)
    const appended = `${rest}${gapAfter(rest)}${tableOf(place, value, newlineOf(text))}`
    // A table cannot be added where the others are written as one value.
    return isEqual(appended, wanted) ? appended : patch(text, wanted, asTables)
  },
  remove(text, place) {
    const section = read(text)[place.key]
    if (!isRecord(section) || !isRecord(section[place.name])) return text
    const own = tableOf(place, section[place.name] as object, newlineOf(text))
    // Cut as it was written, so that a comment below it stays.
    const [before = '', after, ...more] = text.split(own)
    const wanted = withValue(read(text), place, undefined)
    const cut = `${before.replace(/(?<=\n)\r?\n$/, '')}${after}`
    if (after !== undefined && more.length === 0 && isEqual(cut, wanted)) return cut
    return patch(text, wanted, asTables)
  },
}

function read(text: string): Values {
  try {
    return parse(text) as Values
  } catch (cause) {
    const { line = 1, column = 0, message } = cause as { line?: number; column?: number; message: string }
    throw new ConfigFault(message.split('\n').at(-1) ?? message, { line, column: column + 1 })
  }
}

function isEqual(text: string, wanted: Values): boolean {
  try {
    return isSame(withoutEmpty(read(text)), withoutEmpty(wanted))
  } catch {
    return false
  }
}
/** A table without content need not be written. */
const withoutEmpty = (values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !isRecord(value) || Object.keys(value).length > 0))

function withValue(values: Values, { key, name }: Place, value: object | undefined): Values {
  const section = isRecord(values[key]) ? { ...values[key] } : {}
  delete section[name]
  return { ...values, [key]: value === undefined ? section : { ...section, [name]: value } }
}

/** `[key.name]` with what stands in it. */
function tableOf({ key, name }: Place, value: object, newline: string): string {
  const text = stringify({ [key]: { [name]: value } }, asTables)
  const table = text.slice(text.indexOf(`[${key}.${name}]`)).trimEnd()
  return `${table}\n`.replaceAll('\n', newline)
}

function gapAfter(text: string): string {
  if (text.trim() === '') return ''
  return text.endsWith('\n') ? newlineOf(text) : newlineOf(text).repeat(2)
}
