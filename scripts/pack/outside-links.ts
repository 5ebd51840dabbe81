/**
 * A repository page for use elsewhere: links to files lead to `repository`, or become plain text if it is unknown.
 * Links within the page and to other sites are unchanged.
 */
export function outsideLinks(markdown: string, repository: string | undefined): string {
  return markdown.replace(/\[([^\]]*)\]\((?!https?:|mailto:|#)([^)\s]+)\)/g, (_, text: string, target: string) =>
    repository === undefined ? text : `[${text}](${repository}/blob/HEAD/${target.replace(/^\.\//, '')})`,
  )
}

/** The README for users of the npm package: without parts marked `checkout`, and with its commands run by npx. */
export function packageReadme(markdown: string): string {
  return markdown
    .replaceAll(/<!-- checkout -->[^]*?<!-- \/checkout -->\n*/g, '')
    .replaceAll(/npm run setup(?: --)?/g, 'npx -y gossamer-mcp setup')
    .replaceAll(/"node"(,\s*"args": |\nargs = )\[ ?"\S+gossamer.cjs" ?\]/g, '"npx"$1["-y", "gossamer-mcp"]')
    .replaceAll(/node \S+gossamer\.cjs/g, 'npx -y gossamer-mcp')
}
