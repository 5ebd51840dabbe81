import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { folderForAll } from '../helpers/for-all.ts'
import { cleanEnv } from '../helpers/program.ts'

const run = promisify(execFile)
const checkout = join(import.meta.dirname, '../..')
const folder = folderForAll()
const root = join(folder.path, 'gossamer')
const dist = join(folder.path, 'dist')
const temporary = join(folder.path, 'temporary')
const { version: present } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string }
const next = `${Number(present.split('.')[0]) + 1}.0.0-rc.1`

const git = (at: string, ...words: string[]) =>
  execFileSync('git', words, { cwd: at, env: cleanEnv(), encoding: 'utf8' }).trimEnd()

/** Creates a repository of the current checkout, including uncommitted changes. */
beforeAll(() => {
  git(folder.path, 'clone', '--quiet', '--local', checkout, root)
  git(root, 'checkout', '--quiet', '-B', 'main', git(checkout, 'rev-parse', 'HEAD'))
  for (const path of git(checkout, 'ls-files', '-z', '--modified', '--others', '--exclude-standard').split('\0'))
    if (path !== '' && existsSync(join(checkout, path))) cpSync(join(checkout, path), join(root, path))
  git(root, 'config', 'user.name', 'A Maintainer')
  git(root, 'config', 'user.email', 'maintainer@git.example')
  // Right after a release there are no new entries.
  const changelog = join(root, 'CHANGELOG.md')
  const news = '## [Unreleased]\n\n### Added\n\n- News of a test.\n'
  writeFileSync(changelog, readFileSync(changelog, 'utf8').replace('## [Unreleased]\n', news))
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--message', 'as it stands')
  writeFileSync(join(root, '.git/info/exclude'), 'node_modules\n')
  symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'))
  // Types are not tested here.
  cpSync(join(checkout, 'dist'), dist, { recursive: true })
  mkdirSync(join(dist, 'types'), { recursive: true })
  mkdirSync(temporary)
})

async function release(...words: string[]) {
  const command = run(process.execPath, ['scripts/release.ts', ...words], {
    cwd: root,
    env: cleanEnv({ TMPDIR: temporary }),
  })
  const { stdout, stderr, code } = await command.then(
    (done) => ({ ...done, code: 0 }),
    (failed: { stdout: string; stderr: string; code: number }) => failed,
  )
  return { stdout, stderr, code }
}

const stateOf = () => ({
  head: git(root, 'rev-parse', 'HEAD'),
  branches: git(root, 'for-each-ref', '--format=%(refname) %(objectname)'),
  changed: git(root, 'status', '--porcelain', '--ignored'),
  temporary: readdirSync(temporary).filter((name) => name.startsWith('gossamer-')),
})

describe('a release', () => {
  it('is rehearsed completely, and leaves the tree unchanged', async () => {
    const before = stateOf()
    const out = join(folder.path, 'out')
    const { stdout, code } = await release(next, '--dry-run', '--dist', dist, '--out', out)
    expect(code).toBe(0)
    expect(stateOf()).toEqual(before)
    expect(before.temporary).toEqual([])

    expect(stdout).toMatch(
      new RegExp(String.raw`^## \[${next}\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- News of a test\.\n`),
    )
    const tarball = `gossamer-mcp-${next}.tgz`
    expect(stdout).toMatch(
      new RegExp(String.raw`\n {2}${tarball}: \d[\d,]+ bytes\n {2}gossamer\.mcpb: \d[\d,]+ bytes\n`),
    )
    expect(stdout).toContain(`Would be committed as "release: ${next}" and tagged v${next}`)
    expect(stdout).toMatch(/^ package\.json +\| +2 /m)
    const changed = [...stdout.matchAll(/^ (\S+) +\|/gm)].map(([, path]) => path)
    expect(changed).toEqual([
      'CHANGELOG.md',
      'docs/openapi.json',
      'docs/settings.md',
      'manifest.json',
      'package-lock.json',
      'package.json',
      'server.json',
      'src/version.ts',
    ])

    expect(readdirSync(out).sort()).toEqual([tarball, 'gossamer.mcpb'])
    const packed = (name: string): unknown =>
      JSON.parse(execFileSync('tar', ['-xOf', join(out, tarball), `package/${name}`], { encoding: 'utf8' }))
    expect(packed('package.json')).toMatchObject({ version: next })
    expect(packed('manifest.json')).toMatchObject({ version: next })
    expect(packed('server.json')).toMatchObject({ version: next, packages: [{ version: next }] })
  })

  it('is built in a copy, and produces a commit, a tag and packages', async () => {
    const { head: start, changed } = stateOf()
    const out = join(folder.path, 'made')
    const { stdout, code } = await release(next, '--out', out)
    expect(code).toBe(0)
    expect(stdout).toContain(`npm publish --tag next "${join(out, `gossamer-mcp-${next}.tgz`)}"`)
    expect(readdirSync(out).sort()).toEqual([`gossamer-mcp-${next}.tgz`, 'gossamer.mcpb'])
    expect(git(root, 'log', '-1', '--format=%s %P')).toBe(`release: ${next} ${start}`)
    expect(git(root, 'rev-parse', `v${next}^{}`)).toBe(git(root, 'rev-parse', 'main'))
    expect(stateOf()).toMatchObject({ changed, temporary: [] })
    // An old build would print another version.
    execFileSync('tar', ['-xf', join(out, `gossamer-mcp-${next}.tgz`), '-C', folder.path])
    const printed = execFileSync(process.execPath, [join(folder.path, 'package/bin/gossamer.cjs'), '--version'], {
      env: cleanEnv(),
      encoding: 'utf8',
    })
    expect(printed).toContain(next)
    git(root, 'tag', '--delete', `v${next}`)
    git(root, 'reset', '--quiet', '--hard', start)
  })
})
