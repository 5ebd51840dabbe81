/** Scrolls through the page, so that images and content load that wait to be seen. */
export async function loadLazy(maxHeight: number, maxMs: number): Promise<void> {
  const until = performance.now() + maxMs
  for (const image of document.images) image.loading = 'eager'
  const { scrollX, scrollY } = window
  const height = Math.min(document.documentElement.scrollHeight, maxHeight)
  for (let top = 0; top < height && performance.now() < until; top += window.innerHeight) {
    window.scrollTo({ top, behavior: 'instant' })
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  window.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' })
  const late = new Promise((resolve) => setTimeout(resolve, Math.max(0, until - performance.now())))
  const loaded = Array.from(document.images, (image) =>
    image.complete ? undefined : image.decode().catch(() => undefined),
  )
  await Promise.race([Promise.all(loaded), late])
}
