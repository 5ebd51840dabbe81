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
    'footnotes of older docutils, each in a table',
    '<p>A <a class="footnote-reference" href="#id3" id="id1">[1]</a> and <a class="footnote-reference" href="#id4" id="id2">[2]</a> B</p><table class="docutils footnote" id="id3" rules="none"><colgroup><col class="label"><col></colgroup><tbody valign="top"><tr><td class="label"><a class="fn-backref" href="#id1">[1]</a></td><td>First <em>note</em>.</td></tr></tbody></table><table class="docutils footnote" id="id4"><tbody><tr><td class="label"><a class="fn-backref" href="#id2">[2]</a></td><td><p class="first">Second.</p><p class="last">More.</p></td></tr></tbody></table>',
    `A [^1] and [^2] B

[^1]: First _note_.

[^2]: Second.

    More.`,
  ],
  [
    'footnotes of a word processor',
    '<p>One<a href="#_ftn1" name="_ftnref1"><sup>[1]</sup></a>.</p><div class="footnotes"><p id="_ftn1"><a href="#_ftnref1">[1]</a> Said there.</p></div>',
    `One[^1].

[^1]: Said there.`,
  ],
  [
    'footnotes of WordPress and Substack',
    '<p>A<sup data-fn="aa" class="fn"><a href="#aa" id="aa-link">1</a></sup> B<a id="footnote-anchor-2" href="#footnote-2">2</a></p><ol class="wp-block-footnotes"><li id="aa">One. <a href="#aa-link">↩︎</a></li></ol><div class="footnote"><a id="footnote-2" href="#footnote-anchor-2">2</a><div class="footnote-content"><p>Two.</p><p>More.</p></div></div>',
    `A[^1] B[^2]

[^1]: One.

[^2]: Two.

    More.`,
  ],
  [
    'footnotes of Word',
    '<p>A<a href="#_ftn1" name="_ftnref1"><span>[1]</span></a></p><div><div id="ftn1"><p><a href="#_ftnref1" name="_ftn1"><span>[1]</span></a> One.</p><p>More.</p></div></div>',
    `A[^1]

[^1]: One.

    More.`,
  ],
  [
    'footnotes of plain links, some of them without a link back',
    '<p>A<sup><a href="#n1">1</a></sup> B[<a href="#n2" id="r2">2</a>] C<a href="#n3" id="r3">*</a></p><p id="n1">1. One.</p><p><a name="n2"></a>[<a href="#r2">2</a>] Two.</p><p id="n3">* Three. <a href="#r3">Back</a></p>',
    `A[^1] B[^2] C[^3]

[^1]: One.

[^2]: Two.

[^3]: Three.`,
  ],
  [
    'no footnotes in links to numbered sections',
    '<p><a href="#s1">1</a></p><h2 id="s1">One</h2><p>x</p>',
    '[1](https://ex.com/docs/page#s1)\n\n## One\n\nx',
  ],
  [
    'notes inside their sentence (Tufte, LaTeXML, Distill)',
    '<p>A<label for="s"></label><input type="checkbox" id="s"><span class="sidenote">Side note.</span> B<span class="ltx_note"><sup class="ltx_note_mark">1</sup><span class="ltx_note_content"><sup class="ltx_note_mark">1</sup> <span class="ltx_tag ltx_tag_note">1</span> Paper note.</span></span>, C<d-footnote>Distill note.</d-footnote></p>',
    'A (Side note.) B (Paper note.), C (Distill note.)',
  ],
  [
    'marks of notes without links',
    '<p>came<sup>1</sup> in<sup>2,3</sup> left.<sup>a</sup> word<sup>b</sup> M<sup>e</sup> <a href="/x">x<sup>2</sup></a></p>',
    'came^1 in^(2,3) left.^a word^b Me [x^2](https://ex.com/x)',
  ],
  [
    'numbers of notes if a note without references precedes them',
    '<p>Word<sup><a href="#n2">[2]</a></sup>.</p><ol class="references"><li id="n1">One.</li><li id="n2">Two.</li><li id="n3">Three.</li></ol>',
    'Word[^2].\n\n[^1]: One.\n\n[^2]: Two.\n\n[^3]: Three.',
  ],
  [
    'notes in place with a prefix of their plugin, apart from the words around them',
    '<p>Text<sup class="modern-footnotes-footnote" data-mfn="1"><a href="javascript:void(0)">1</a></sup><span class="modern-footnotes-footnote__note" data-mfn="1">Modern note in place.</span> on.</p>',
    'Text^1 (Modern note in place.) on.',
  ],
]
