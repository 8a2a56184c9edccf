#include <sinter/sinter.hpp>

int main() {}
