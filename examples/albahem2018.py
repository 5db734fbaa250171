"""Which measures contradict simple properties (Albahem et al. 2018)?"""

from __future__ import annotations

import sys

from polyseme.meta.properties import Rankings, check_properties


def main(length: int = 10) -> None:
    found = check_properties("ACT AP-IA(norm=R) CT nCT trec", Rankings(length=length))
    print(found.written("table", "properties"))
    for each in found.findings:
        if each.violations and not each.property_name.startswith("induced"):
            example = each.examples[0]
            print(
                f"{each.measure} violates {each.property_name} in {each.violations:,} of "
                f"{each.cases:,} cases, such as {example.lower} ({example.lower_score:.4f}) above "
                f"{example.higher} ({example.higher_score:.4f})"
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
