import type { FidelityCase } from './fidelity-cases.ts'

/** Footnotes as different software writes them. */
export const footnotesCases: readonly FidelityCase[] = [
  [
    'references with links back (MediaWiki)',
    '<p>Fact.<sup id="cite_ref-s_1-0" class="reference"><a href="#cite_note-s-1"><span class="cite-bracket">[</span>1<span class="cite-bracket">]</span></a></sup> More.<sup id="cite_ref-s_1-1" class="reference"><a href="#cite_note-s-1">[1]</a></sup><sup class="reference" id="cite_ref-2"><a href="#cite_note-2">[a]</a></sup></p><h2><span class="mw-headline" id="R">References</span><span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="/w?action=edit">edit</a><span class="mw-editsection-bracket">]</span></span></h2><div class="reflist"><ol class="references"><li id="cite_note-s-1"><span class="mw-cite-backlink">^ <a href="#cite_ref-s_1-0"><sup><i><b>a</b></i></sup></a> <a href="#cite_ref-s_1-1"><sup><i><b>b</b></i></sup></a></span> <span class="reference-text"><cite class="citation book">Smith, J. <i>Book</i>. p.&nbsp;3.</cite></span></li><li id="cite_note-2"><span class="mw-cite-backlink"><b><a href="#cite_ref-2" aria-label="Jump up" title="Jump up">↑</a></b></span> <span class="reference-text">Other</span></li></ol></div>',
    `Fact.[^1] More.[^1][^a]

## References

[^1]: Smith, J. _Book_. p. 3.

[^a]: Other`,
  ],
  [
    'footnotes of markdown-it',
    '<p>A<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup> B<sup class="footnote-ref"><a href="#fn2" id="fnref2">[2]</a></sup></p><hr class="footnotes-sep"><section class="footnotes"><ol class="footnotes-list"><li id="fn1" class="footnote-item"><p>One. <a href="#fnref1" class="footnote-backref">↩︎</a></p></li><li id="fn2" class="footnote-item"><p>Two p1</p><p>Two p2 <a href="#fnref2" class="footnote-backref">↩︎</a></p></li></ol></section>',
    `A[^1] B[^2]

[^1]: One.

[^2]: Two p1

    Two p2`,
  ],
  [
    'footnotes of Pandoc',
    '<p>A<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a></p><section id="footnotes" class="footnotes footnotes-end-of-document" role="doc-endnotes"><hr/><ol><li id="fn1"><p>One.<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>',
    `A[^1]

[^1]: One.`,
  ],
  [
    'footnotes of GitHub',
    '<p>A<sup><a href="#user-content-fn-note" id="user-content-fnref-note" data-footnote-ref="" aria-describedby="footnote-label">1</a></sup></p><section data-footnotes="" class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2><ol><li id="user-content-fn-note"><p>One <a href="#user-content-fnref-note" data-footnote-backref="" aria-label="Back to reference 1" class="data-footnote-backref"><g-emoji>↩</g-emoji></a></p></li></ol></section>',
    `A[^1]

## Footnotes

[^1]: One`,
  ],
  [
    'footnotes of Sphinx',
    '<p>A <a class="footnote-reference brackets" href="#id3" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a> B</p><aside class="footnote-list brackets"><aside class="footnote brackets" id="id3" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>Note.</p></aside></aside>',
    `A [^1] B

[^1]: Note.`,
  ],
  [
    'footnotes of a word processor',
    '<p>One<a href="#_ftn1" name="_ftnref1"><sup>[1]</sup></a>.</p><div class="footnotes"><p id="_ftn1"><a href="#_ftnref1">[1]</a> Said there.</p></div>',
    `One[^1].

[^1]: Said there.`,
  ],
]
