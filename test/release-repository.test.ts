import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { nextChangelog } from '../scripts/release/changelog.ts'
import { bringHome, cloneInto, commitRelease } from '../scripts/release/repository.ts'
import { refusals } from '../scripts/release/refusals.ts'
import { setVersion } from '../scripts/release/version.ts'
import { folderForAll } from './helpers/for-all.ts'
import { cleanEnv } from './helpers/program.ts'

const folder = folderForAll()

let root: string
let clone: string
const git = (at: string, ...words: string[]) =>
  execFileSync('git', words, { cwd: at, env: cleanEnv(), encoding: 'utf8' }).trimEnd()
const commitAll = (at: string, message: string) => {
  git(at, 'add', '--all')
  git(at, 'commit', '--quiet', '--message', message)
}

/** Creates a repository with only the files that a release changes. */
beforeEach(() => {
  const place = join(folder.path, crypto.randomUUID())
  ;[root, clone] = [join(place, 'root'), join(place, 'clone')]
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  git(root, 'init', '--quiet', '--initial-branch', 'main')
  git(root, 'config', 'user.name', 'A Maintainer')
  git(root, 'config', 'user.email', 'maintainer@git.example')
  git(root, 'config', 'commit.gpgsign', 'false')
  const version = '0.1.0'
  writeFileSync(join(root, '.gitignore'), 'node_modules/\n')
  writeFileSync(join(root, 'CHANGELOG.md'), '## [Unreleased]\n\n- News.\n')
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'x', version }))
  writeFileSync(
    join(root, 'package-lock.json'),
    JSON.stringify({ name: 'x', version, packages: { a: {}, '': { name: 'x', version } } }),
  )
  commitAll(root, 'all')
})

describe('a release', () => {
  it.each<[string, () => void]>([
    ['a commit was added', () => commitAll(root, 'another')],
    ['a file of the release was edited', () => {}],
  ])('is not added if %s in the meantime', (_, commit) => {
    cloneInto(clone, root)
    setVersion(clone, '0.2.0')
    commitRelease(clone, '0.2.0')
    writeFileSync(join(root, 'package.json'), '{ "version": "0.1.0", "name": "edited" }')
    commit()
    const head = git(root, 'rev-parse', 'HEAD')
    expect(() => bringHome(clone, root, '0.2.0')).toThrow('nothing was committed')
    expect([git(root, 'rev-parse', 'HEAD'), git(root, 'tag')]).toEqual([head, ''])
    expect(readFileSync(join(root, 'package.json'), 'utf8')).toContain('edited')
  })

  it('is made from the checked-out commit, in a worktree too, without uncommitted changes', () => {
    const worktree = join(folder.path, crypto.randomUUID())
    git(root, 'worktree', 'add', '--quiet', '-b', 'later', worktree)
    writeFileSync(join(worktree, 'later.txt'), 'later')
    commitAll(worktree, 'later')
    writeFileSync(join(worktree, 'not-committed.txt'), '')
    cloneInto(clone, worktree)
    expect(['later.txt', 'not-committed.txt'].map((name) => existsSync(join(clone, name)))).toEqual([true, false])
  })
})

describe('a first release', () => {
  it('may have the version that the package already has', () => {
    expect(refusals(root, '0.1.0', 'release')).toEqual([])
    cloneInto(clone, root)
    setVersion(clone, '0.1.0')
    const { changelog } = nextChangelog(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8'), '0.1.0', '2030-01-02')
    writeFileSync(join(clone, 'CHANGELOG.md'), changelog)
    commitRelease(clone, '0.1.0')
    bringHome(clone, root, '0.1.0')
    expect(git(root, 'rev-parse', 'v0.1.0^{}')).toBe(git(root, 'rev-parse', 'main'))
    const again = refusals(root, '0.1.0', 'release')
    expect(again.join(' ')).toMatch(/nothing under \[Unreleased\].*The tag v0\.1\.0 already exists/)
  })

  it.each<[string, () => unknown, string]>([
    ['has a tag', () => git(root, 'tag', 'v0.1.0'), 'The tag v0.1.0 already exists'],
    ['is in the changelog', () => addSection(), 'already has a section [0.1.0]'],
  ])('is refused if its version %s', (_, make, fault) => {
    make()
    expect(refusals(root, '0.1.0', 'release')).toEqual([expect.stringContaining(fault)])
  })
})

/** Adds the version to the changelog, as in a clone without tags. */
function addSection(): void {
  writeFileSync(join(root, 'CHANGELOG.md'), '## [Unreleased]\n\n- News.\n\n## [0.1.0]\n\n- Old.\n')
  commitAll(root, 'changelog')
}

it.each<[string, () => unknown, string]>([
  ['with a file that is not committed', () => writeFileSync(join(root, 'new.txt'), ''), 'not committed (?? new.txt)'],
  ['with a change', () => writeFileSync(join(root, 'CHANGELOG.md'), '## [Unreleased]\n- x\n'), 'M CHANGELOG.md'],
  ['of a version with a tag', () => git(root, 'tag', 'v0.2.0'), 'The tag v0.2.0 already exists'],
  ['on another branch', () => git(root, 'switch', '--quiet', '-c', 'other'), 'is on the branch other'],
  ['on no branch', () => git(root, 'checkout', '--quiet', '--detach'), 'is on no branch'],
])('a release is refused: %s', (_, make, fault) => {
  expect(refusals(root, '0.2.0', 'release')).toEqual([])
  make()
  expect(refusals(root, '0.2.0', 'release')).toEqual([expect.stringContaining(fault)])
})
