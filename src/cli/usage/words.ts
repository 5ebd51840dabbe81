import { flagOf } from '../../app/read-config.ts'
import { operations } from '../../operations/index.ts'
import { UsageError } from '../command.ts'
import { didYouMean } from '../../util/closest.ts'
import { type CommandName, commandNames, commandOf } from './commands.ts'
import type { Form } from './entry.ts'
import { everywhere, type FlagKey } from './flags.ts'
import { countOf, usageError, usageText } from './syntax.ts'

/** An operation is run by `call`, so whoever types its name alone is told how. */
export function unknownCommand(name: string): UsageError {
  const operation = operations.find((each) => each.name === name.replaceAll('-', '_'))
  if (operation)
    return new UsageError(
      `${name} is an operation: gossamer call ${operation.name} '${JSON.stringify(operation.example)}'`,
    )
  const names = [...commandNames, '--help', '--version']
  return new UsageError(`There is no command ${name}.${didYouMean(name, names)}\n"gossamer --help" lists the commands.`)
}

/** Refuses words and flags that the command does not take. */
export function checkWords(
  name: CommandName,
  words: readonly string[],
  given: readonly { key: FlagKey; raw: string }[],
): void {
  const { forms } = commandOf(name)
  const verbs = forms.flatMap(({ verb }) => verb ?? [])
  const [first] = words
  const verb = first !== undefined && verbs.includes(first) ? first : undefined
  if (verbs.length > 0 && verb === undefined) checkVerb(name, first, verbs)
  const meant = forms.filter((form) => form.verb === verb)
  const rest = words.slice(verb === undefined ? 0 : 1)
  const counts = meant.map(countOf)
  if (rest.length > Math.max(...counts.map(({ most }) => most))) {
    const extra = rest[Math.max(...counts.map(({ most }) => most))]
    throw new UsageError(`Unexpected word: ${extra}\n${usageText(name, verb)}`)
  }
  checkFlags(name, verb, meant, given)
  if (rest.length < Math.min(...counts.map(({ least }) => least))) throw usageError(name, verb)
}

function checkVerb(name: CommandName, typed: string | undefined, verbs: readonly string[]): void {
  const standsAlone = commandOf(name).forms.some((form) => form.verb === undefined)
  if (typed === undefined && standsAlone) return
  if (typed === undefined) throw usageError(name)
  throw new UsageError(`gossamer ${name} knows no ${typed}.${didYouMean(typed, verbs)}\n${usageText(name)}`)
}

function checkFlags(
  name: CommandName,
  verb: string | undefined,
  forms: readonly Form[],
  given: readonly { key: FlagKey; raw: string }[],
): void {
  const taken = new Set([...everywhere, ...forms.flatMap((form) => form.flags ?? [])])
  const stray = given.find(({ key }) => !taken.has(key))
  if (!stray) return
  const called = ['gossamer', name, ...(verb === undefined ? [] : [verb])].join(' ')
  throw new UsageError(
    `${called} takes no ${flagOf(stray.key)}; it is a flag of ${takersOf(stray.key).join(', ')}.\n${usageText(name, verb)}`,
  )
}

/** The commands that take a flag, with their verbs where only some of them do. */
function takersOf(key: FlagKey): string[] {
  const takers = commandNames.flatMap((name) => {
    const { forms } = commandOf(name)
    const taking = forms.filter((form) => form.flags?.includes(key))
    if (taking.length === forms.length) return [name]
    return taking.map(({ verb }) => (verb === undefined ? name : `${name} ${verb}`))
  })
  return [...new Set(takers)]
}
