import { wordsIn } from '../../src/util/words.ts'
import { termsOf } from '../../src/util/rank.ts'
import { isRecord } from '../../src/util/json.ts'

/** A question as a model gets it. */
export type ModelQuestion = { text: string; schema: Record<string, unknown> | undefined }
type Plan = {
  /** A further search, made when the notes match `once`. */
  hop?: { once: RegExp; search: string } | undefined
  /** Number of sites whose notes it requires before it answers. */
  sites?: number
}

const inBlock = (text: string, name: string) =>
  new RegExp(`<${name}>\\n([\\s\\S]*?)\\n</${name}>`).exec(text)?.[1] ?? ''
const linesOf = (text: string) => text.split('\n').filter((line) => /^\d+ /.test(line))
const numberOf = (line: string) => Number.parseInt(line, 10)

function coverage(line: string, task: string): number {
  const terms = [...new Set(termsOf(task))]
  const has = new Set(wordsIn(line))
  return terms.length === 0 ? 0 : terms.filter((word) => has.has(word)).length / terms.length
}

/** A model that answers all questions of the agent in any world: it knows nothing, and chooses by common words. */
export function researcher({ hop, sites = 2 }: Plan = {}): (question: ModelQuestion) => unknown {
  return ({ text, schema = {} }) => {
    const properties = isRecord(schema['properties']) ? schema['properties'] : {}
    if ('action' in properties) return nextAct(text, properties['action'], { hop, sites })
    if ('claims' in properties) return claims(text, hop?.search ?? inBlock(text, 'task'))
    if ('sources' in properties) return sources(text)
    if (text.includes('<page>')) return notes(text, hop?.search)
    return dataFor(schema, text)
  }
}

type Act = { action: string; query: string; numbers: number[] }
const act = (action: string, query = '', numbers: number[] = []): Act => ({ action, query, numbers })

function nextAct(text: string, action: unknown, { hop, sites }: Plan & { sites: number }): Act {
  const may = isRecord(action) && Array.isArray(action['enum']) ? action['enum'] : []
  const task = inBlock(text, 'task')
  const steps = inBlock(text, 'steps')
  const noted = linesOf(inBlock(text, 'notes'))
  if (!steps.includes('Searched') && may.includes('search')) return act('search', telling(task))
  const further = hop?.once.test(noted.join('\n')) ? hop.search : undefined
  if (further !== undefined && !steps.includes(further) && may.includes('search')) return act('search', further)
  const hosts = new Set(noted.map((line) => /\[(.*?)\]/.exec(line)?.[1]))
  const about = further ?? task
  const fitting = linesOf(inBlock(text, 'candidates'))
    .map((line) => ({ line, fit: coverage(line, about) }))
    .filter(({ fit }) => fit > 0.2)
    .toSorted((one, other) => other.fit - one.fit)
  if (hosts.size >= sites || fitting.length === 0 || !may.includes('read')) return act('answer')
  return act(
    'read',
    '',
    fitting.slice(0, 2).map(({ line }) => numberOf(line)),
  )
}

const telling = (task: string) => [...new Set(task.replace(/[?.,!“”"]/g, '').split(/\s+/))].slice(0, 12).join(' ')

function notes(text: string, further: string | undefined): object {
  const [, task = '', wanted = ''] = /\nTask: ([^\n]*)(?:\nFields that are wanted: ([^\n]*))?$/.exec(text) ?? []
  const fields = [...wanted.matchAll(/"(\w+)":\{/g)].map(([, name = '']) => name)
  const page = linesOf(inBlock(text, 'page')).filter((line) => !/^\d+ #|\?$/.test(line))
  const fits = (line: string) =>
    coverage(line, task) >= 0.5 ||
    (further !== undefined && coverage(line, further) >= 0.5) ||
    fields.some((name) => new RegExp(`\\b${name}\\b`, 'i').test(line)) ||
    /^\d+ \|/.test(line)
  return {
    notes: page
      .filter((line) => fits(line) && !/^\d+ \|[\s|:-]+$/.test(line))
      .slice(0, 12)
      .map((line) => ({ says: line.replace(/^\d+ /, ''), lines: [numberOf(line)] })),
  }
}

type Note = { number: number; host: string; says: string }
const notesIn = (text: string): Note[] =>
  linesOf(inBlock(text, 'notes')).map((line) => {
    const [, number = '', host = '', says = ''] = /^(\d+) \[(.*?)\] (.*?) — “/.exec(line) ?? []
    return { number: Number(number), host, says }
  })

function claims(text: string, task: string): object {
  const all = notesIn(text).map((note) => ({ ...note, fit: coverage(note.says, task) }))
  const best = Math.max(0, ...all.map(({ fit }) => fit))
  const chosen = all.filter(({ fit }) => fit >= 0.5 && fit >= best * 0.8)
  return {
    claims: chosen.map(({ says, number }) => ({ text: says, notes: [number] })),
    contradictions: contradictionsIn(chosen, task),
  }
}

const figures = (says: string) => (says.match(/\d[\d.,]*/g) ?? []).join(' ')

/** Returns the first note and notes of other sites with other figures, as a contradiction. */
function contradictionsIn(all: readonly Note[], about: string): object[] {
  const [first] = all
  const others = all.filter(({ host, says }) => first && host !== first.host && figures(says) !== figures(first.says))
  return first && figures(first.says) !== '' && others.length > 0
    ? [{ about, notes: [first.number, ...others.map(({ number }) => number)] }]
    : []
}

/** Fills a schema from lines such as `Price: 20`, and lists from the rows of tables. */
function dataFor(schema: Record<string, unknown>, text: string): object {
  const noted = notesIn(text)
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, rule]) => {
      if (!isRecord(rule)) return []
      const value = rule['type'] === 'array' ? rowsFor(rule, noted) : valueFor(name, rule, noted)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function valueFor(name: string, rule: Record<string, unknown>, noted: readonly Note[]): unknown {
  const line = new RegExp(`\\b${name}\\b\\W*(?:is |of |at |:)?\\s*(.+?)(?: ·.*)?$`, 'i')
  const found = noted.flatMap(({ says }) => line.exec(says.replace(/[*|]/g, ''))?.[1] ?? [])[0]?.replace(/[.\s]+$/, '')
  const figure = Number.parseFloat((found ?? '').replace(/[^\d.]/g, ''))
  if (rule['type'] === 'number' || rule['type'] === 'integer') return Number.isNaN(figure) ? undefined : figure
  return found
}

/** Returns the rows of the tables whose head has the names of the fields. */
function rowsFor(rule: Record<string, unknown>, noted: readonly Note[]): object[] {
  const { properties = {} } = (isRecord(rule['items']) ? rule['items'] : {}) as {
    properties?: Record<string, { type?: string }>
  }
  const fields = Object.entries(properties)
  const rows = noted
    .filter(({ says }) => says.startsWith('|'))
    .map(({ says }) =>
      says
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const heads = rows.filter((row) => fields.every(([name]) => row.some((cell) => cell.toLowerCase() === name)))
  const [head = []] = heads
  const cellOf = (row: readonly string[], name: string) =>
    row[head.findIndex((cell) => cell.toLowerCase() === name)] ?? ''
  return rows
    .filter((row) => !heads.includes(row))
    .map((row) =>
      Object.fromEntries(
        fields.map(([name, { type }]) => [name, type === 'string' ? cellOf(row, name) : Number(cellOf(row, name))]),
      ),
    )
}

const bears = (says: string, value: string) => says.replace(/[,*]/g, '').includes(value)

function sources(text: string): object {
  const noted = notesIn(text)
  const fields = linesOf(inBlock(text, 'fields')).map((line) => {
    const [, number = '', name = '', value = ''] = /^(\d+) (\w+)\S*: (.*)$/.exec(line) ?? []
    return { number: Number(number), name, value }
  })
  return {
    sources: fields.map(({ number, value }) => ({
      field: number,
      notes: noted.filter(({ says }) => bears(says, value)).map((note) => note.number),
    })),
    contradictions: fields.flatMap(({ name }) =>
      contradictionsIn(
        noted.filter(({ says }) => new RegExp(`\\b${name}\\b`, 'i').test(says)),
        name,
      ),
    ),
  }
}
