/**
 * A repository page for use elsewhere: links to files lead to `repository`, or become plain text if it is unknown.
 * Links within the page and to other sites are unchanged.
 */
export function outsideLinks(markdown: string, repository: string | undefined): string {
  return markdown.replace(/\[([^\]]*)\]\((?!https?:|mailto:|#)([^)\s]+)\)/g, (_, text: string, target: string) =>
    repository === undefined ? text : `[${text}](${repository}/blob/HEAD/${target.replace(/^\.\//, '')})`,
  )
}
