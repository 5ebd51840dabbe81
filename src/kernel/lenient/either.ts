import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../util/json.ts'
import type { Node } from './node.ts'
import type { Place } from './notes.ts'
import { jsonIn } from './texts.ts'

/** How one form is read. */
type Read = (node: Node, value: unknown, place: Place) => unknown
type Reading = { value: unknown; notes: (() => void)[]; isValid: boolean; isFor: boolean }

/** The value as the one form in which it is valid; itself where there is none, or where two forms say different things. */
export function eitherMeant(options: readonly Node[], value: unknown, place: Place, read: Read): unknown {
  // A text that is JSON was meant as what it holds.
  const isJson = typeof value === 'string' && jsonIn(value) !== undefined
  const readings = options.map((option) => readAs(option, value, place, read)).filter(({ isFor }) => !isJson || !isFor)
  const valid = readings.filter(({ isValid }) => isValid)
  const ofKind = valid.filter(({ isFor }) => isFor)
  const chosen =
    oneOf(ofKind.length > 0 ? ofKind : valid) ?? (valid.length === 0 ? oneOf(fitting(readings)) : undefined)
  for (const note of chosen?.notes ?? []) note()
  return chosen ? chosen.value : value
}

/** What is faulty is told best by the form it was meant for. */
const fitting = (readings: readonly Reading[]) => readings.filter(({ isFor }) => isFor)

function oneOf([first, ...others]: readonly Reading[]): Reading | undefined {
  return others.every((other) => isDeepStrictEqual(other.value, first?.value)) ? first : undefined
}

function readAs(option: Node, value: unknown, { path, context, tell }: Place, read: Read): Reading {
  const notes: (() => void)[] = []
  const meant = read(option, value, {
    path,
    context,
    tell: (at, as) => void notes.push(() => tell(at, as)),
  })
  return { value: meant, notes, isValid: option.accepts(meant), isFor: isOfKind(option, value) }
}

function isOfKind({ shape }: Node, value: unknown): boolean {
  if (typeof value === 'string') return shape.kind === 'text' || shape.kind === 'word'
  if (Array.isArray(value)) return shape.kind === 'list'
  if (isRecord(value)) return ['object', 'choice', 'map'].includes(shape.kind)
  return shape.kind === (typeof value === 'boolean' ? 'flag' : 'number')
}
