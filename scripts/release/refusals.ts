import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changelogFault } from './changelog.ts'
import { git, gitOrNothing, isRepository, tagOf } from './repository.ts'
import { presentVersion, versionFault } from './version.ts'

const mainBranch = 'main'

/** Reasons why `root` cannot be released as `version`, or rehearsed: each with the cause, the place and the fix. */
export function refusals(root: string, version: string, purpose: 'release' | 'rehearsal'): string[] {
  if (!isRepository(root)) return [`${root} is not a git repository. Run this in a clone.`]
  if (gitOrNothing(root, 'rev-parse', '--verify', 'HEAD') === undefined)
    return [`${root} has no commit yet. Commit first.`]
  const wrongVersion = versionFault(version, presentVersion(root))
  return [
    wrongVersion,
    changelogFault(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version),
    dirtFault(root),
    // An invalid version may not be a valid tag name either.
    wrongVersion === undefined ? tagFault(root, version) : undefined,
    ...(purpose === 'release' ? [branchFault(root), nameFault(root)] : []),
  ].filter((fault) => fault !== undefined)
}

function dirtFault(root: string): string | undefined {
  const changed = git(root, 'status', '--porcelain')
    .split('\n')
    .filter((line) => line !== '')
  if (changed.length === 0) return undefined
  const named = changed.slice(0, 3).map((line) => line.trim())
  const others = changed.length > named.length ? `, and ${changed.length - named.length} more` : ''
  return `${root} has changes that are not committed (${named.join(', ')}${others}). Commit them, or stash them: git stash --include-untracked.`
}

function tagFault(root: string, version: string): string | undefined {
  const tag = tagOf(version)
  const commit = gitOrNothing(root, 'rev-parse', '--short', '--verify', '--quiet', `refs/tags/${tag}^{}`)
  return commit === undefined
    ? undefined
    : `The tag ${tag} already exists, at ${commit}. Give another version; if it never left this machine: git tag --delete ${tag}.`
}

function branchFault(root: string): string | undefined {
  const branch = git(root, 'branch', '--show-current')
  if (branch === mainBranch) return undefined
  const at = branch === '' ? 'no branch' : `the branch ${branch}`
  return `${root} is on ${at}, and releases are made from ${mainBranch}. Run: git switch ${mainBranch}; or rehearse here with --dry-run.`
}

/** Checked up front instead of after packing. */
function nameFault(root: string): string | undefined {
  if (gitOrNothing(root, 'var', 'GIT_COMMITTER_IDENT') !== undefined) return undefined
  return 'git does not know who commits. Set user.name and user.email with git config.'
}
