"""Tests of the case studies at small size: the claims of their pages hold. Times are not checked."""
