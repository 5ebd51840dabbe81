import { object } from './world-tasks.ts'

/** An extraction on the sites of the agent's tasks, where `{name}` is the address of a site. */
export type ExtractTask = {
  name: string
  input: Record<string, unknown>
  /** Pattern with which a perfect reader finds each field on a page: the first match, or all of them for a list. */
  reads: Readonly<Record<string, RegExp>>
  data: unknown
  /** Pages that state each field, as `site/path`. */
  sources: Readonly<Record<string, readonly string[]>>
  /** Warnings for the caller. */
  warns?: readonly (string | RegExp)[]
  /** Error of an extraction without an answer. */
  fails?: RegExp
  credits: number
  /** True if the pages state the fields in sentences, which the built-in method does not read. */
  needsModel?: true
}

const page = 5
const search = 2
const peaks = object({ peaks: { type: 'array', items: object({ name: 'string', height: 'integer' }) } })
const height = /tower of Varn is (\d+) metres/
const closed = /mine of Eist closed in (\d{4})|In (\d{4}) the cobalt mine/

export const extractTasks: readonly ExtractTask[] = [
  {
    name: 'facts of one page',
    input: { urls: ['{brask}/'], schema: object({ founder: 'string', founded: 'integer' }) },
    reads: { founder: /Founder: (.*)/, founded: /Founded: (\d+)/ },
    data: { founder: 'Jonas Brask', founded: 1932 },
    sources: { founder: ['brask/'], founded: ['brask/'] },
    credits: page,
  },
  {
    name: 'two shops that differ: the first is used, with a warning',
    input: { urls: ['{lumo}/lamp', '{lumoshop}/p/1'], schema: object({ price: 'number', weight: 'string' }) },
    reads: { price: /Price: (\d+)/, weight: /Weight: (.*)/ },
    data: { price: 49, weight: '2.1 kg' },
    sources: { price: ['lumo/lamp'], weight: ['lumo/lamp'] },
    warns: ['The pages disagree on price; the value that most sites give was used.'],
    credits: 2 * page,
  },
  {
    name: 'a list over two sites',
    input: { urls: ['{peaks}/', '{peaks2}/more'], schema: peaks },
    reads: { 'peaks.name': /\| (\w+) \| \d+ \|/g, 'peaks.height': /\| \w+ \| (\d+) \|/g },
    data: {
      peaks: [
        { name: 'Arnhorn', height: 3120 },
        { name: 'Belm', height: 2987 },
        { name: 'Cass', height: 2901 },
      ],
    },
    sources: { 'peaks[0]': ['peaks/'], 'peaks[1]': ['peaks/'], 'peaks[2]': ['peaks2/more'] },
    credits: 2 * page,
  },
  {
    name: 'pages found by a search',
    input: { prompt: 'Founder of the lamp maker Brask', schema: object({ founder: 'string' }), limit: 3 },
    reads: { founder: /Founder: (.*)/ },
    data: { founder: 'Jonas Brask' },
    sources: { founder: ['brask/'] },
    credits: 3 * page + search,
  },
  {
    name: 'pages below a wildcard, one of which has the answer',
    input: { urls: ['{ferry}/*'], prompt: 'When does the last ferry leave?', schema: object({ last: 'string' }) },
    reads: { last: /last ferry leaves Holm at ([\d:]+)/ },
    data: { last: '22:15' },
    sources: { last: ['ferry/times'] },
    credits: 3 * page,
    needsModel: true,
  },
  {
    name: 'a dead site and a working one',
    input: { urls: ['{dead}/quartz', '{clock}/rimmen'], schema: object({ stopped: 'integer' }) },
    reads: { stopped: /was stopped in (\d{4})/ },
    data: { stopped: 1988 },
    sources: { stopped: ['clock/rimmen'] },
    warns: [/1 of 2 pages could not be read \(SCRAPE_\w+\)/],
    credits: page,
    needsModel: true,
  },
  {
    name: 'an endless site, of which only the requested number of pages is read',
    input: {
      urls: ['{trap}/day/*', '{saffron}/'],
      prompt: 'saffron harvest of Uld begins',
      schema: object({ begins: 'string' }),
      limit: 4,
    },
    reads: { begins: /harvest of Uld begins on (.*?)\./ },
    data: { begins: '4 October' },
    sources: { begins: ['saffron/'] },
    warns: [/\d+ pages were found, of which 4 were read/],
    credits: 4 * page,
    needsModel: true,
  },
  {
    name: 'a page with instructions, and two with the answer',
    input: { urls: ['{injected}/cobalt', '{mine}/eist', '{mine2}/history'], schema: object({ closed: 'integer' }) },
    reads: { closed },
    data: { closed: 1954 },
    sources: { closed: ['mine/eist', 'mine2/history'] },
    warns: ['The pages disagree on closed'],
    credits: 3 * page,
    needsModel: true,
  },
  {
    name: 'a page found by a search that robots.txt forbids',
    input: { prompt: 'secret recipe of Ombra juniper', schema: object({ uses: 'string' }), limit: 1 },
    reads: { uses: /recipe of Ombra uses (\w+)/ },
    data: undefined,
    sources: {},
    fails: /^NO_PAGE_READ/,
    credits: 0,
  },
  {
    name: 'two heights of one tower: the better page decides',
    input: { prompt: 'How high is the tower of Varn?', schema: object({ height: 'integer' }), limit: 2 },
    reads: { height },
    data: { height: 54 },
    sources: { height: ['tower/'] },
    warns: ['The pages disagree on height'],
    credits: 2 * page + search,
    needsModel: true,
  },
  {
    name: 'objects within objects, each part from another site',
    input: {
      urls: ['{tower}/', '{mason}/kant'],
      schema: object({ tower: object({ built: 'integer', mason: object({ name: 'string', died: 'integer' }) }) }),
    },
    reads: {
      'tower.built': /built in (\d{4})/,
      'tower.mason.name': /[Tt]he mason (Ilse Kant)/,
      'tower.mason.died': /died in (\d{4})/,
    },
    data: { tower: { built: 1870, mason: { name: 'Ilse Kant', died: 1901 } } },
    sources: {
      'tower.built': ['tower/'],
      'tower.mason.name': ['tower/', 'mason/kant'],
      'tower.mason.died': ['mason/kant'],
    },
    credits: 2 * page,
    needsModel: true,
  },
  {
    name: 'fields that no page has',
    input: { urls: ['{lumo}/lamp'], schema: object({ weight: 'string', warranty: 'string' }) },
    reads: { weight: /Weight: (.*)/, warranty: /Warranty: (.*)/ },
    data: { weight: '2.1 kg' },
    sources: { weight: ['lumo/lamp'] },
    warns: ['Not found on any page: warranty.'],
    credits: page,
  },
  {
    name: 'one page with several URLs, which is read once',
    input: { urls: ['{holm}/', '{holm}', '{holm}/#top'], schema: object({ inhabitants: 'integer' }) },
    reads: { inhabitants: /has (\d+) inhabitants/ },
    data: { inhabitants: 312 },
    sources: { inhabitants: ['holm/'] },
    credits: page,
    needsModel: true,
  },
]
