import { layout } from './layout.ts'

const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A news article with one of everything; ARTICLE_START and ARTICLE_END mark its first and last sentence. */
export function article(origin: string): string {
  return layout({
    title: 'The lighthouse that learned to listen',
    description: 'How an old light station became a laboratory for sound.',
    path: '/article',
    origin,
    head: `<meta name="author" content="Ada Marsh">
  <meta property="article:published_time" content="2026-01-12T08:30:00Z">
  <script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"The lighthouse that learned to listen","author":{"@type":"Person","name":"Ada Marsh"},"datePublished":"2026-01-12"}</script>`,
    main: `
<article>
  <nav class="breadcrumb"><a href="/">Home</a> › <a href="/listing">Stories</a></nav>
  <h1>The lighthouse that learned to listen</h1>
  <p class="byline">By <a rel="author" href="/authors/ada-marsh">Ada Marsh</a> <time datetime="2026-01-12">12 January 2026</time></p>
  <p>ARTICLE_START For a hundred and forty years the lamp on Gull Point told ships where the rocks were. Since last spring the tower has done the opposite: it listens to what the ships say, and to the water around them.</p>
  <p>The station was to be sold when the coast guard switched to buoys. A group of engineers from <a href="../places/gull-point.html">the village</a> asked for the keys instead. They had a plan, three borrowed microphones and <strong>no money at all</strong>.</p>
  <figure>
    <img src="/images/placeholder.gif" data-src="/images/tower-1200.jpg" data-srcset="/images/tower-600.jpg 600w, /images/tower-1200.jpg 1200w" loading="lazy" alt="The tower at dusk">
    <figcaption>The tower at dusk. Photograph: Ivo Lind</figcaption>
  </figure>
  <h2 id="how">How it works</h2>
  <p>Sound travels about four times faster in water than in air, and much farther. A ship's screw can be heard at twenty miles. The engineers hung the microphones at depths of five, ten and twenty metres and compare the moments of arrival.</p>
  <ol><li>Each microphone writes down when it heard a sound.</li><li>A small computer in the lamp room lines the three records up.</li><li>The differences give a direction, and after a minute a course.</li></ol>
  <pre><code class="language-python">def bearing(delays, spacing=5.0, speed=1480.0):
    # ratio of path to spacing
    return [math.asin(speed * d / spacing) for d in delays]
</code></pre>
  <h2>What was heard</h2>
  <table>
    <thead><tr><th>Month</th><th>Ships</th><th>Whales</th></tr></thead>
    <tbody><tr><td>March</td><td>214</td><td>3</td></tr><tr><td>April</td><td>305</td><td>11</td></tr><tr><td>May</td><td>342</td><td>7</td></tr></tbody>
  </table>
  <blockquote><p>“We came for the ships,” says Lind, “and we stay for the whales.”</p></blockquote>
  <p>The first whale was taken for a fault in the cable <img src="${dot}" alt="inline dot">. It took the group a week to believe it, and <em>another week</em> to agree on what kind it was. Recordings are on <a href="https://sounds.example/gull-point?ref=harbour#latest">the project's page</a>.</p>
  <ul><li>Humpback: 14 recordings</li><li>Minke: 6 recordings
    <ul><li>of which two with calves</li></ul></li><li>Unknown: 1 recording</li></ul>
  <h2>What comes next</h2>
  <p>In autumn two more towers join, and the records will be open to anyone. The lamp is still lit on Sundays. ARTICLE_END</p>
  <div class="share"><a href="https://share.example/?u=${origin}/article">Share</a> <button>Print</button></div>
</article>
<section class="comments"><h2>2 comments</h2><p>COMMENT_MARKER What a lovely story!</p></section>`,
  })
}
