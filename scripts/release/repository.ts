import { execFileSync } from 'node:child_process'
import { appendFileSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Variables set in git hooks, which make git use that repository regardless of the folder. */
const places = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX']
const env = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !places.includes(name)))

export const git = (folder: string, ...words: string[]) =>
  execFileSync('git', words, {
    cwd: folder,
    env: env(),
    encoding: 'utf8',
    stdio: ['inherit', 'pipe', 'pipe'],
  }).trimEnd()

/** Output of git, or undefined if it fails. */
export function gitOrNothing(folder: string, ...words: string[]): string | undefined {
  try {
    return git(folder, ...words)
  } catch {
    return undefined
  }
}

/** A copy inside another repository is not a repository of its own. */
export function isRepository(root: string): boolean {
  const top = gitOrNothing(root, 'rev-parse', '--show-toplevel')
  return top !== undefined && realpathSync(top) === realpathSync(root)
}

/** Clones the checked-out commit, with the packages of `root` and its committer and signing settings. */
export function cloneInto(clone: string, root: string): void {
  git(root, 'clone', '--quiet', '--local', '--no-checkout', root, clone)
  git(clone, 'checkout', '--quiet', '--detach', git(root, 'rev-parse', 'HEAD'))
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  appendFileSync(join(clone, '.git/info/exclude'), '\nnode_modules\n')
  const settings = gitOrNothing(
    root,
    'config',
    '-z',
    '--get-regexp',
    String.raw`^(user|author|committer|gpg|commit|tag)\.`,
  )
  for (const setting of settings?.split('\0').filter((each) => each !== '') ?? []) {
    const [name = '', ...lines] = setting.split('\n')
    git(clone, 'config', '--add', name, lines.join('\n'))
  }
}

/** Stages everything and lists the changed files with the size of their changes. */
export function changesOf(clone: string): string {
  git(clone, 'add', '--all')
  return git(clone, 'diff', '--cached', '--stat', 'HEAD')
}

export const messageOf = (version: string) => `release: ${version}`
export const tagOf = (version: string) => `v${version}`

export function commitRelease(clone: string, version: string): void {
  git(clone, 'add', '--all')
  git(clone, 'commit', '--quiet', '--message', messageOf(version))
  // `git push --follow-tags` pushes annotated tags only.
  git(clone, 'tag', '--annotate', tagOf(version), '--message', messageOf(version))
}

/** Transfers tag and commit from the clone to `root`. Fails without changes if `root` has changed meanwhile. */
export function bringHome(clone: string, root: string, version: string): void {
  const tag = `refs/tags/${tagOf(version)}`
  git(root, 'fetch', '--quiet', '--no-tags', clone, `${tag}:${tag}`)
  if (gitOrNothing(root, 'merge', '--quiet', '--ff-only', tag) !== undefined) return
  git(root, 'tag', '--delete', tagOf(version))
  throw new Error(
    `The branch or its files in ${root} changed while ${version} was packed, so nothing was committed. Run the command again.`,
  )
}
