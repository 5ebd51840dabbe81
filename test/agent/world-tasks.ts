/** Content of a correct answer, and the work of the researcher that it needs. */
type Expected = {
  /** Texts or values that the answer must contain; an empty list means that nothing is found. */
  holds: readonly (string | RegExp)[]
  /** Pages that state the answer, as `site/path`. */
  from: readonly string[]
  /** A further search, which the researcher makes when its notes match `once`. */
  hop?: { once: RegExp; search: string }
  sites?: number
  conflict?: boolean
  /** True if only a model can choose the second search or the link. */
  needsModel?: true
}
export type Task = Expected & { name: string; input: Record<string, unknown> }

/** A JSON Schema of an object; a property may be given by its type alone. */
export const object = (properties: Record<string, string | object>) => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, type]) => [name, typeof type === 'string' ? { type } : type]),
  ),
})
const peaks = { type: 'array', items: object({ name: 'string', height: 'integer' }) }

const task = (
  name: string,
  prompt: string,
  holds: Expected['holds'],
  from: Expected['from'],
  { input, ...more }: Partial<Expected> & { input?: object } = {},
): Task => ({ name, input: { prompt, ...input }, holds, from, ...more })

export const tasks: readonly Task[] = [
  task('a fact of one site', 'When did the quartz clock of Rimmen stop?', ['1988'], ['clock/rimmen']),
  task(
    'a fact that two sites contradict',
    'How high is the tower of Varn?',
    ['54 metres', '57 metres'],
    ['tower/', 'atlas/varn'],
    { conflict: true },
  ),
  task(
    'a fact that two sites confirm',
    'When was the cobalt mine of Eist closed?',
    ['1954'],
    ['mine/eist', 'mine2/history'],
    { sites: 3 },
  ),
  task('a fact behind a link', 'When does the last ferry leave Holm?', ['22:15'], ['ferry/times'], {
    needsModel: true,
  }),
  task('a fact behind two searches', 'Where was the builder of the tower of Varn born?', ['Holm'], ['mason/kant'], {
    hop: { once: /Ilse Kant/, search: 'Ilse Kant born village' },
    sites: 3,
    needsModel: true,
  }),
  task('a fact next to an endless site', 'When does the saffron harvest of Uld begin?', ['4 October'], ['saffron/'], {
    input: { maxPages: 8 },
  }),
  task(
    'data of two shops that differ',
    'price and weight of the lamp Lumo',
    [/"price":4[59]\b/, '2.1 kg'],
    ['lumo/lamp'],
    { input: { schema: object({ price: 'number', weight: 'string' }) }, conflict: true },
  ),
  task(
    'a list over two sites',
    'Name and height of the peaks of the Toril range',
    ['Arnhorn', 'Belm', 'Cass'],
    ['peaks/', 'peaks2/more'],
    { input: { schema: object({ peaks }) } },
  ),
  task('a page that is given', 'How long is the river Ise?', ['210'], ['rivers/ise'], {
    input: { urls: ['{rivers}/ise'] },
  }),
  task('only the page that is given', 'How deep is the Grey Sea?', ['740'], ['sea/'], {
    input: { urls: ['{sea}/'], strictConstrainToURLs: true },
  }),
  task('a question that no page answers', 'Which opera did Zebulon Quist conduct?', [], []),
  task('a page that robots.txt forbids', 'What does the secret recipe of Ombra use?', [], []),
  task('a fact on the next page of a list', 'How long is the Birch bridge of Oster?', ['95 metres'], ['paged/list2'], {
    needsModel: true,
  }),
  task('the current holder of an office', 'Who is the mayor of Varn in 2026?', ['Petra Lund'], ['news/2026']),
  task('a person', 'Who founded the choir of Kell?', ['Ruth Amsel'], ['music/']),
  task('a count', 'How many inhabitants has Holm?', ['312'], ['holm/']),
]
