import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blocksIn } from '../scripts/docs-check/blocks.ts'
import { copyFiles } from '../scripts/docs-check/checkout.ts'
import { anchorsIn, linkFaults } from '../scripts/docs-check/links.ts'
import { mentionFaults } from '../scripts/docs-check/mentions.ts'
import { runPage } from '../scripts/docs-check/run-page.ts'
import { openSandbox, type Sandbox } from '../scripts/docs-check/sandbox.ts'
import { folderForEach } from './helpers/for-all.ts'

const place = folderForEach()
const fence = '```'
const sh = (code: string, before = '') => `${before}${fence}sh\n${code}\n${fence}\n`

test('the blocks of a page have their lines and the comments before them', () => {
  const page = `# A\n\n<!-- not run: needs a client -->\n${sh('one')}\n<!-- not run "two": too long -->\n<!-- needs a browser -->\n\n${sh('two\nthree')}text\n${sh('four')}`
  expect(blocksIn(page)).toEqual([
    { language: 'sh', code: 'one', line: 5, notRun: [{ begins: '', reason: 'needs a client' }], needsBrowser: false },
    {
      language: 'sh',
      code: 'two\nthree',
      line: 12,
      notRun: [{ begins: 'two', reason: 'too long' }],
      needsBrowser: true,
    },
    { language: 'sh', code: 'four', line: 17, notRun: [], needsBrowser: false },
  ])
})

test('anchors are those that GitHub generates', () => {
  const page = `# The \`a\` & b\n## See [the docs](x.md)!\n## Once\n## Once\n${fence}\n# no heading\n${fence}\n## Ein_Ähnlich Ding-1.2`
  expect([...anchorsIn(page)]).toEqual(['the-a--b', 'see-the-docs', 'once', 'once-1', 'ein_ähnlich-ding-12'])
})

describe('a page on disk', () => {
  let root: string
  beforeEach(() => {
    root = place.path
    mkdirSync(join(root, 'docs'))
    writeFileSync(join(root, 'docs/b.md'), '# B\n\n## Part two\n')
  })

  const faultsOf = (page: string) => {
    writeFileSync(join(root, 'a.md'), page)
    return linkFaults(root, 'a.md')
  }

  test.each([
    '[b](docs/b.md)',
    '[b](docs/b.md#part-two)',
    '[folder](docs/)',
    '# Top\n[top](#top)',
    '[web](https://example.com/nowhere.md)',
    sh('echo "[x](nowhere.md)"'),
  ])('may contain the links of %j', (page) => expect(faultsOf(page)).toEqual([]))

  test.each([
    ['[b](docs/c.md)', 'a.md:1: docs/c.md leads nowhere'],
    ['\n[b](docs/b.md#part-three)', 'a.md:2: docs/b.md#part-three has no such heading'],
    ['[top](#top)', 'a.md:1: #top has no such heading'],
  ])('must not contain the links of %j', (page, fault) => expect(faultsOf(page)).toEqual([fault]))
})

test.each([
  ['Run `gossamer doctor` or `gossamer keys add NAME [--team TEAM]`.', []],
  ['`gossamer profile login`, `gossamer needs Node 22 …`, `gossamer COMMAND`, `gossamer`', []],
  [`\`gossamer search a b '{"x": 1}' --limit 5\` and \`npm run build\``, []],
  ['`gossamer docter`', ['p.md: `gossamer docter`: There is no command docter. Did you mean doctor?']],
  ['`gossamer serve --prot 1`', ['p.md: `gossamer serve --prot 1`: There is no flag --prot. Did you mean --port?']],
  [
    '`gossamer tools --warc x`',
    ['p.md: `gossamer tools --warc x`: gossamer tools takes no --warc; it is a flag of crawl.'],
  ],
  ['`npm run nothing`', ['p.md: `npm run nothing`: there is no such script']],
])('of the commands in %j, the unknown ones are reported', (page, faults) => {
  expect(mentionFaults('p.md', page, new Set(['build']))).toEqual(faults)
})

test('a copy of the checkout has no link to its packages, so no command can delete them', () => {
  const root = place.path
  for (const folder of ['node_modules/one', 'src', '.git', '.docs-check'])
    mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'src/main.ts'), '')
  const path = join(root, '.docs-check/run/gossamer')
  copyFiles(root, path)
  expect(readdirSync(path, { recursive: true })).toEqual(['src', 'src/main.ts'])
})

describe('commands of a page', () => {
  let root: string
  let sandbox: Sandbox
  beforeEach(async () => {
    root = place.path
    sandbox = await openSandbox({ root, programs: root, standIn: 'http://127.0.0.1:9', curl: 'curl' })
  })
  afterEach(() => sandbox.end())
  const report = (page: string, hasBrowser = false) => runPage('p.md', page, sandbox, hasBrowser)

  test('are run in order, with a separate home and the stand-in for example.com', async () => {
    const page =
      sh('echo text > file\necho $HOME | grep gossamer-docs-home') +
      sh('grep text file\ntest https://example.com/a = http://127.0.0.1:9/a')
    expect(await report(page)).toEqual({ ran: 4, notRun: [], faults: [] })
  })

  test('that fail are reported with their line and output', async () => {
    const { faults } = await report(`text\n\n${sh('true\ncat nowhere\ntrue')}`)
    expect(faults).toEqual([expect.stringMatching(/^p\.md:5: exit code 1: cat nowhere\n.*No such file/)])
  })

  test('that are marked “not run” are reported with the reason', async () => {
    const page =
      sh('false', '<!-- not run: needs a client -->\n') +
      sh('false --all\ntrue', '<!-- not run "false": too long -->\n')
    expect(await report(page)).toEqual({
      ran: 1,
      notRun: ['p.md:3: needs a client', 'p.md:7: false: too long'],
      faults: [],
    })
  })

  test('that need a browser are run only if the machine has one', async () => {
    const page = sh('false', '<!-- needs a browser -->\n')
    expect(await report(page)).toMatchObject({ notRun: ['p.md:3: there is no browser'], faults: [] })
    expect((await report(page, true)).faults).toHaveLength(1)
  })
})
