import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const article = `<!doctype html>
<html lang="en">
<head>
  <title>How spiders build an orb web</title>
  <meta name="description" content="From the first bridge thread to the sticky spiral, step by step.">
  <meta property="og:type" content="article">
</head>
<body>
  <nav><a href="/">Home</a> <a href="/animals">Animals</a> <a href="/about">About</a></nav>
  <div class="cookie-banner">We use cookies. <button>Accept all</button></div>
  <main>
    <article>
      <h1>How spiders build an orb web</h1>
      <p>An orb web looks like one drawing, but it is built in four stages, and most of what is built first is taken
      away again before the spider is done. The whole work takes about half an hour.</p>
      <h2>The stages</h2>
      <ol>
        <li>A <b>bridge thread</b> is let out on the wind until it catches on something.</li>
        <li>A second thread is dropped from its middle: the first three <a href="/glossary#radius">radii</a>.</li>
        <li>A wide, dry spiral is walked from the centre outwards, as a scaffold.</li>
        <li>The sticky spiral is laid from the rim inwards, while the scaffold is eaten.</li>
      </ol>
      <h2>Silk in figures</h2>
      <table>
        <tr><th>Thread</th><th>Strength (MPa)</th><th>Stretch</th></tr>
        <tr><td>Dragline</td><td>1100</td><td>27 %</td></tr>
        <tr><td>Capture spiral</td><td>500</td><td>270 %</td></tr>
      </table>
      <p>Gossamer is the name of the fine threads on which young spiders sail through the air in autumn. A single
      thread is thin enough to be carried by a breath, and strong enough to carry its spider for hundreds of miles.</p>
    </article>
  </main>
  <aside class="related"><h3>You may also like</h3><a href="/moths">Why moths fly in circles</a></aside>
  <footer>© Sample site · <a href="/privacy">Privacy</a></footer>
</body>
</html>`

/** A page on loopback for a trial without internet access. */
export async function startSampleSite(): Promise<{ url: string; host: string; close(): void }> {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(article),
  )
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `http://${host}/spiders`, host, close: () => void server.close() }
}
