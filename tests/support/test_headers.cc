// Holds nothing; the headers that tests share are precompiled beside it.
