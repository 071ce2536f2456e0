"""Tests of the case studies, at small size: what their pages say holds. Times are not looked at."""
