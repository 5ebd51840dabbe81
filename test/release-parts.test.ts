import { describe, expect, it } from 'vitest'
import { changelogFault, nextChangelog } from '../scripts/release/changelog.ts'
import { readRequest } from '../scripts/release/request.ts'
import { versionFault } from '../scripts/release/version.ts'

describe('the version of a release', () => {
  it.each([
    ['0.1.1', '0.1.0'],
    ['0.10.0', '0.9.9'],
    ['1.0.0', '1.0.0-rc.1'],
    ['1.0.0-rc.1', '0.9.0'],
    ['1.0.0-rc.10', '1.0.0-rc.9'],
    ['1.0.0-rc.1', '1.0.0-rc'],
    ['1.0.0-beta', '1.0.0-alpha.9'],
    ['1.0.0-a', '1.0.0-9'],
    ['90071992547409931.0.0', '90071992547409930.0.0'],
  ])('may be %s after %s, but not the reverse', (later, earlier) => {
    expect(versionFault(later, earlier)).toBeUndefined()
    expect(versionFault(earlier, later)).toContain(`comes before ${later}`)
    // The same version may be released if there is no tag of it.
    expect(versionFault(later, later)).toBeUndefined()
  })

  it.each([
    '',
    'v0.2.0',
    '0.2',
    '0.2.0.1',
    '01.2.0',
    '0.2.0-',
    '0.2.0-rc..1',
    '0.2.0-01',
    '0.2.0+build',
    ' 0.2.0',
    '0.2.0\n',
    'latest',
    '$(touch x)',
  ])('is not %j', (text) => expect(versionFault(text, '0.1.0')).toContain('is not a version'))
})

const intro = '# Changelog\n\nAll notable changes.\n'
const before = '## [0.1.0]\n\n### Added\n\n- It reads pages.\n'
const news = '### Added\n\n- It writes them too.\n\n### Fixed\n\n- Nothing.\n'
const dated = `## [0.2.0] - 2030-01-02\n\n${news}`
const next = (changelog: string) => nextChangelog(changelog, '0.2.0', '2030-01-02')

it.each([
  [
    'with versions before',
    `${intro}\n## [Unreleased]\n\n${news}\n${before}`,
    `${intro}\n## [Unreleased]\n\n${dated}\n${before}`,
  ],
  ['of the first version', `${intro}\n## [Unreleased]\n\n${news}`, `${intro}\n## [Unreleased]\n\n${dated}`],
  [
    'with blank lines too many or too few',
    `${intro}## [Unreleased]  \n${news}\n\n\n${before}`,
    `${intro}## [Unreleased]\n\n${dated}\n${before}`,
  ],
])('the next changelog moves unreleased entries below the version, %s', (_, changelog, expected) => {
  expect(changelogFault(changelog, '0.2.0')).toBeUndefined()
  expect(next(changelog)).toEqual({ changelog: expected, entry: dated })
})

it.each([
  ['without the heading', `${intro}\n${before}`, 'has no heading "## [Unreleased]"'],
  ['with the heading only in a sentence', `${intro}\nSee ## [Unreleased]\n`, 'has no heading'],
  ['without entries under the heading', `${intro}\n## [Unreleased]\n\n${before}`, 'nothing under [Unreleased]'],
  ['that ends with the heading', `${intro}\n## [Unreleased]`, 'nothing under [Unreleased]'],
  [
    'with headings and comments alone',
    `## [Unreleased]\n\n### Added\n\n<!-- one line\neach -->\n\n${before}`,
    'nothing under [Unreleased]',
  ],
  [
    'that already has the version',
    `## [Unreleased]\n\n${news}\n## [0.2.0] - 2029-01-01\n`,
    'already has a section [0.2.0]',
  ],
])('a changelog %s is refused', (_, changelog, fault) => expect(changelogFault(changelog, '0.2.0')).toContain(fault))

describe('the release command', () => {
  it('takes a version and flags, in any order', () => {
    expect(readRequest(['--dry-run', '0.2.0', '--out', 'x', '--dist', 'y'], {})).toEqual({
      version: '0.2.0',
      isRehearsal: true,
      out: 'x',
      dist: 'y',
    })
    expect(readRequest(['0.2.0'], {})).toMatchObject({ version: '0.2.0', isRehearsal: false })
  })

  it.each([
    [[], 'Give one version'],
    [['0.2.0', '0.3.0'], 'Give one version'],
    [['0.2.0', '--dryrun'], '--dryrun'],
    [['0.2.0', '--out'], '--out'],
    [['0.2.0', '--dist', 'dist'], '--dist needs --dry-run'],
  ])('refuses %j', (argv, fault) => expect(() => readRequest(argv, {})).toThrow(fault))
})
