export type Task = {
  name: string
  input: Record<string, unknown>
  /** Texts or values that the answer must contain; an empty list means that nothing is found. */
  holds: readonly (string | RegExp)[]
  /** Pages that bear it out, as `site/path`. */
  from: readonly string[]
  /** A further search of the researcher, once its notes match. */
  hop?: { once: RegExp; search: string }
  sites?: number
  conflict?: boolean
  /** True if only a model can choose the second search or the link. */
  needsModel?: true
}

const object = (properties: Record<string, string>) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(properties).map(([name, type]) => [name, { type }])),
})

export const tasks: readonly Task[] = [
  {
    name: 'a fact of one site',
    input: { prompt: 'When did the quartz clock of Rimmen stop?' },
    holds: ['1988'],
    from: ['clock/rimmen'],
  },
  {
    name: 'a fact that two sites contradict',
    input: { prompt: 'How high is the tower of Varn?' },
    holds: ['54 metres', '57 metres'],
    from: ['tower/', 'atlas/varn'],
    conflict: true,
  },
  {
    name: 'a fact that two sites confirm',
    input: { prompt: 'When was the cobalt mine of Eist closed?' },
    holds: ['1954'],
    from: ['mine/eist', 'mine2/history'],
    sites: 3,
  },
  {
    name: 'a fact behind a link',
    input: { prompt: 'When does the last ferry leave Holm?' },
    holds: ['22:15'],
    from: ['ferry/times'],
    needsModel: true,
  },
  {
    name: 'a fact behind two searches',
    input: { prompt: 'Where was the builder of the tower of Varn born?' },
    hop: { once: /Ilse Kant/, search: 'Ilse Kant born village' },
    sites: 3,
    holds: ['Holm'],
    from: ['mason/kant'],
    needsModel: true,
  },
  {
    name: 'a fact beside an endless site',
    input: { prompt: 'When does the saffron harvest of Uld begin?', maxPages: 8 },
    holds: ['4 October'],
    from: ['saffron/'],
  },
  {
    name: 'data of two shops that differ',
    input: { prompt: 'price and weight of the lamp Lumo', schema: object({ price: 'number', weight: 'string' }) },
    holds: [/"price":4[59]\b/, '2.1 kg'],
    from: ['lumo/lamp'],
    conflict: true,
  },
  {
    name: 'a list over two sites',
    input: {
      prompt: 'Name and height of the peaks of the Toril range',
      schema: {
        type: 'object',
        properties: { peaks: { type: 'array', items: object({ name: 'string', height: 'integer' }) } },
      },
    },
    holds: ['Arnhorn', 'Belm', 'Cass'],
    from: ['peaks/', 'peaks2/more'],
  },
  {
    name: 'a page that is given',
    input: { prompt: 'How long is the river Ise?', urls: ['{rivers}/ise'] },
    holds: ['210'],
    from: ['rivers/ise'],
  },
  {
    name: 'only the page that is given',
    input: { prompt: 'How deep is the Grey Sea?', urls: ['{sea}/'], strictConstrainToURLs: true },
    holds: ['740'],
    from: ['sea/'],
  },
  { name: 'what no page says', input: { prompt: 'Which opera did Zebulon Quist conduct?' }, holds: [], from: [] },
  {
    name: 'what robots.txt forbids',
    input: { prompt: 'What does the secret recipe of Ombra use?' },
    holds: [],
    from: [],
  },
  {
    name: 'a fact on the next page of a list',
    input: { prompt: 'How long is the Birch bridge of Oster?' },
    holds: ['95 metres'],
    from: ['paged/list2'],
    needsModel: true,
  },
  {
    name: 'who holds an office now',
    input: { prompt: 'Who is the mayor of Varn in 2026?' },
    holds: ['Petra Lund'],
    from: ['news/2026'],
  },
  { name: 'a person', input: { prompt: 'Who founded the choir of Kell?' }, holds: ['Ruth Amsel'], from: ['music/'] },
  { name: 'a count', input: { prompt: 'How many inhabitants has Holm?' }, holds: ['312'], from: ['holm/'] },
]
