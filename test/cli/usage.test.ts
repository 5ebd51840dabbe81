import { describe, expect, test } from 'vitest'
import { type ParsedLine, readCommandLine } from '../../src/cli/usage/read-command-line.ts'
import { closest } from '../../src/util/words.ts'

const run = (command: string, more: object = {}): object => ({
  kind: 'run',
  command,
  words: [],
  flags: {},
  settings: {},
  ...more,
})

describe('a command line', () => {
  test.each<[string[], object]>([
    [[], run('stdio')],
    [['--port', '80'], run('stdio', { settings: { port: '80' } })],
    [['serve', '--port=80'], run('serve', { settings: { port: '80' } })],
    [['--port', '80', 'serve', '--port', '81'], run('serve', { settings: { port: '81' } })],
    [['scrape', 'https://a.b', '{"x": 1}'], run('scrape', { words: ['https://a.b', '{"x": 1}'] })],
    [['search', '--limit', '3', '--', 'a', '-b'], run('search', { words: ['a', '-b'], flags: { limit: '3' } })],
    [['keys', 'add', 'x', '--team', 't'], run('keys', { words: ['add', 'x'], flags: { team: 't' } })],
    [['index', 'prune', '--older-than', '3d'], run('index', { words: ['prune'], flags: { olderThan: '3d' } })],
    [['crawl', '--resume', '--out', 'd'], run('crawl', { flags: { resume: true, out: 'd' } })],
    [['--allow-hosts', '*', 'tools'], run('tools', { settings: { 'allow-hosts': '*' } })],
  ])('%j selects the command', (argv, expected) => expect(readCommandLine(argv)).toEqual(expected))

  test.each<[string[], ParsedLine]>([
    [['-h'], { kind: 'help', topic: undefined }],
    [['--help'], { kind: 'help', topic: undefined }],
    [['help', 'crawl'], { kind: 'help', topic: 'crawl' }],
    [['crawl', '-h'], { kind: 'help', topic: 'crawl' }],
    [['crawl', 'https://a.b', '--nonsense', '--help'], { kind: 'help', topic: 'crawl' }],
    [['help', 'crawl', '--help'], { kind: 'help', topic: 'crawl' }],
    [['-v'], { kind: 'version' }],
    [['serve', '--version'], { kind: 'version' }],
  ])('%j asks for help or the version', (argv, expected) => {
    expect(readCommandLine(argv)).toEqual(expected)
  })

  test.each<[string[], object]>([
    [['--strict'], { strict: 'true' }],
    [['--strict=false'], { strict: 'false' }],
    [['--no-strict'], { strict: 'false' }],
    [['--strict', '--no-strict'], { strict: 'false' }],
    [['--no-search-results-pages'], { 'search-results-pages': 'false' }],
  ])('%j turns a setting on or off', (argv, settings) => {
    expect(readCommandLine([...argv, 'tools'])).toEqual(run('tools', { settings }))
  })

  test.each<[string, boolean]>([
    ['--json', true],
    ['--json=true', true],
    ['--json=FALSE', false],
    ['--no-json', false],
  ])("%s turns a command's own switch on or off", (flag, json) => {
    expect(readCommandLine(['tools', flag])).toEqual(run('tools', { flags: { json } }))
  })

  test.each<[string[], RegExp]>([
    [['srcape'], /no command srcape\. Did you mean scrape\?/],
    [['version'], /Did you mean --version\?/],
    [['fetch'], /^There is no command fetch\.\n"gossamer --help"/],
    [['map', 'https://a.b'], /^map is an operation: gossamer call map '\{/],
    [['batch-scrape'], /gossamer call batch_scrape/],
    [['constructor'], /no command constructor/],
    [['--prot', '1'], /no flag --prot\. Did you mean --port\?/],
    [['crawl', '-out', 'd'], /no flag -out\. Did you mean --out\?/],
    [['search', 'jaguar', '-car'], /no flag -car\.\n.*come after --.*gossamer search … -- -car/],
    [['--no-port', 'tools'], /no flag --no-port/],
    [['--no-strict=true', 'tools'], /--no-strict takes no value/],
    [['tools', '--json=maybe'], /--json takes true or false, but got: maybe/],
    [['--port'], /--port needs a value/],
    [['crawl', 'https://a.b', '--out', ''], /--out needs a value/],
    [['crawl', 'https://a.b', '--out', '--json'], /--out needs a value, but is followed by --json.*--out=--json/],
    [
      ['scrape', 'https://a.b', '--warc', 'd'],
      /gossamer scrape takes no --warc; it is a flag of crawl\.\nusage: gossamer scrape/,
    ],
    [
      ['keys', 'list', '--team', 't'],
      /keys list takes no --team; it is a flag of keys add, index search, secrets, profile\./,
    ],
    [['tools', 'extra'], /Unexpected word: extra\nusage: gossamer tools$/],
    [['scrape', 'https://a.b', '{}', 'more'], /Unexpected word: more/],
    [['keys', 'ad', 'x'], /keys has no subcommand ad\. Did you mean add\?/],
    [['completion', 'pwsh'], /completion has no subcommand pwsh\.\nusage: gossamer completion bash/],
    [['scrape'], /^usage: gossamer scrape URL/],
    [
      ['keys', 'add'],
      /^usage: gossamer keys add NAME \[--team TEAM\] \[--expires AGE\] \[--operations LIST\] \[--credits N\] \[--domains LIST\]$/,
    ],
  ])('%j is refused', (argv, message) => {
    expect(() => readCommandLine(argv)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(message) }),
    )
  })
})

test.each([
  ['prot', ['port', 'host'], 'port'],
  ['crawll', ['crawl', 'call'], 'crawl'],
  ['se', ['serve', 'search'], undefined],
  ['ser', ['serve', 'search'], 'serve'],
  ['', ['serve'], undefined],
])('closest to %j among %j is %s', (word, words, meant) => expect(closest(word, words)).toBe(meant))
