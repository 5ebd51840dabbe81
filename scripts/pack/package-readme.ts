/**
 * The README for users of the npm package: without parts marked `checkout`, with its commands run by npx. Links to files
 * lead to `repository`.
 */
export function packageReadme(markdown: string, repository: string): string {
  return markdown
    .replaceAll(/<!-- checkout -->[^]*?<!-- \/checkout -->\n*/g, '')
    .replaceAll(/npm run setup(?: --)?/g, 'npx -y gossamer-mcp setup')
    .replaceAll(/"node"(,\s*"args": |\nargs = )\[ ?"\S+gossamer.cjs" ?\]/g, '"npx"$1["-y", "gossamer-mcp"]')
    .replaceAll(/node \S+gossamer\.cjs/g, 'npx -y gossamer-mcp')
    .replaceAll(
      /(!?)\[([^\]]*)\]\((?!https?:|mailto:|#)(?:\.\/)?([^)\s]+)\)/g,
      (_, mark: string, text: string, target: string) =>
        `${mark}[${text}](${repository}/${mark === '' ? 'blob' : 'raw'}/HEAD/${target})`,
    )
}
