/**
 * A page of the repository as it is read outside of it: links to files lead to `repository`, or become plain text where
 * that is unknown. Links within the page and to other sites stay.
 */
export function outsideLinks(markdown: string, repository: string | undefined): string {
  return markdown.replace(/\[([^\]]*)\]\((?!https?:|mailto:|#)([^)\s]+)\)/g, (_, text: string, target: string) =>
    repository === undefined ? text : `[${text}](${repository}/blob/HEAD/${target.replace(/^\.\//, '')})`,
  )
}
